/** How pm2 runs the site, and where it deploys it to: as named exports, since of an ES module pm2 finds no default. */
import os from 'node:os';
import { readTarget } from './deploy/target.js';
import { parseConfig, SETTINGS } from './server/config.js';

export const apps = [
  {
    name: 'sockshootout',
    script: 'server.js',
    exec_mode: 'cluster',
    /** Read when pm2 starts the site, and so are the settings: what only deploys it needs none. */
    get instances() {
      return readWorkerCount();
    },
    // A reload gives workers the new value of what is named here, and of all else the one from their first start. Empty
    // is as good as absent.
    get env() {
      // pm2 never changes how many workers there are, and they must agree on that: so WORKERS stays what it was at first.
      const names = SETTINGS.filter((name) => name !== 'WORKERS');
      return Object.fromEntries(names.map((name) => [name, process.env[name] ?? '']));
    },
    // server.js says when it listens, and drains within 5 s when told to stop.
    wait_ready: true,
    listen_timeout: 10_000,
    kill_timeout: 6000,
  },
];

export const deploy = {
  /** Read when `pm2 deploy` asks for it: what only starts the site needs no target. */
  get production() {
    const target = orEnd(readTarget);
    return {
      ...target,
      // Long steps are scripts: a double quote in a hook cuts it short, and pm2 still says Success.
      'pre-setup': `deploy/check-host.sh ${target.path}`,
      'post-setup': 'bash deploy/write-env.sh',
      'post-deploy': 'bash deploy/activate.sh',
    };
  },
};

/** One worker per CPU, or as many as WORKERS says. All settings are checked, as a worker alone would end over and over. */
function readWorkerCount() {
  // From here pm2 gives it to the workers.
  process.env.WORKERS ||= String(os.availableParallelism());
  const { workers } = orEnd(() => parseConfig({ ...process.env, NODE_APP_INSTANCE: '0' }));
  return workers?.count;
}

/** @template T @param {() => T} read @returns {T} */
function orEnd(read) {
  try {
    return read();
  } catch (error) {
    // pm2 would print all of its own stack, and of settings that are wrong say nothing.
    process.stderr.write(`${/** @type {Error} */ (error).message}\n`);
    return process.exit(1);
  }
}
