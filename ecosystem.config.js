/** Tells pm2 how to run and deploy the site: as named exports, since pm2 does not find the default of an ES module. */
import os from 'node:os';
import { readTarget } from './deploy/target.js';
import { parseConfig, SETTINGS } from './server/config.js';

export const apps = [
  {
    name: 'sockshootout',
    script: 'server.js',
    exec_mode: 'cluster',
    /** This and the settings are read when pm2 starts the site, so that a deployment needs none. */
    get instances() {
      return readWorkerCount();
    },
    // A reload gives workers new values of the variables named here, and keeps all others from their first start. An empty
    // one counts as absent.
    get env() {
      // pm2 never changes the number of workers, and they must agree on it, so WORKERS keeps its first value.
      const names = SETTINGS.filter((name) => name !== 'WORKERS');
      return Object.fromEntries(names.map((name) => [name, process.env[name] ?? '']));
    },
    /** For `pm2 start --watch`: each shared run changes the data folder. The others are those that pm2 ignores by default. */
    get ignore_watch() {
      return [process.env.DATA_DIR || 'data', '**/node_modules', '**/.*'];
    },
    // server.js reports when it listens, and drains within 5 s after a signal.
    wait_ready: true,
    // After it pm2 stops the old worker all the same: a busy machine takes ten times as long as an idle one.
    listen_timeout: 30_000,
    kill_timeout: 6000,
  },
];

export const deploy = {
  /** The target is read by `pm2 deploy`, so that starting the site needs none. */
  get production() {
    const target = orEnd(readTarget);
    return {
      ...target,
      // Long steps are scripts: a double quote truncates a hook, and pm2 still reports Success.
      'pre-setup': `deploy/check-host.sh ${target.path}`,
      'post-setup': 'bash deploy/write-env.sh',
      'post-deploy': 'bash deploy/activate.sh',
    };
  },
};

/**
 * Returns one worker per CPU, or WORKERS. All settings are checked here, as a worker would fail and restart again and
 * again.
 */
function readWorkerCount() {
  // pm2 passes this value to the workers.
  process.env.WORKERS ||= String(os.availableParallelism());
  const { workers } = orEnd(() => parseConfig({ ...process.env, NODE_APP_INSTANCE: '0' }));
  return workers?.count;
}

/** @template T @param {() => T} read @returns {T} */
function orEnd(read) {
  try {
    return read();
  } catch (error) {
    // pm2 would print its own stack, and nothing about wrong settings.
    process.stderr.write(`${/** @type {Error} */ (error).message}\n`);
    return process.exit(1);
  }
}
