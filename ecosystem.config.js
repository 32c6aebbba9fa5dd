/**
 * How pm2 runs the site, and where it deploys it to. Named exports: pm2 does not find what is under a default export of
 * an ES module.
 */
import os from 'node:os';
import { readTarget } from './deploy/target.js';
import { parseConfig, SETTINGS } from './server/config.js';

/** One worker per CPU, or as many as WORKERS says. */
const workers = process.env.WORKERS || String(os.availableParallelism());
// Throws before pm2 would start as many as a slip of the finger says.
parseConfig({ WORKERS: workers });

export const apps = [
  {
    name: 'sockshootout',
    script: 'server.js',
    exec_mode: 'cluster',
    instances: Number(workers),
    // A reload gives workers the new value of what is named here, and of all else the one from their first start. Empty
    // is as good as absent.
    env: { ...Object.fromEntries(SETTINGS.map((name) => [name, process.env[name] ?? ''])), WORKERS: workers },
    // server.js says when it listens, and drains within 5 s when told to stop.
    wait_ready: true,
    listen_timeout: 10_000,
    kill_timeout: 6000,
  },
];

export const deploy = {
  /** Read when `pm2 deploy` asks for it: what only starts the site needs no target. */
  get production() {
    const target = readTargetOrEnd();
    return {
      ...target,
      // Long steps are scripts: a double quote in a hook cuts it short, and pm2 still says Success.
      'pre-setup': `deploy/check-host.sh ${target.path}`,
      'post-setup': 'bash deploy/write-env.sh',
      'post-deploy': 'bash deploy/activate.sh',
    };
  },
};

function readTargetOrEnd() {
  try {
    return readTarget();
  } catch (error) {
    // pm2 would print all of its own stack.
    process.stderr.write(`${/** @type {Error} */ (error).message}\n`);
    return process.exit(1);
  }
}
