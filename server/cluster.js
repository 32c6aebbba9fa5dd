/** Runs the site as several processes behind one port, as pm2 does, where there is no pm2: in a container, or by hand. */
import cluster from 'node:cluster';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createLog } from './telemetry/log.js';

/** @import { Config } from './config.js' */

const SERVER = fileURLToPath(new URL('../server.js', import.meta.url));
const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM']);
/** A pause before a restart, because the cause may last: for example, a database that does not answer. */
const RESTART_AFTER_MS = 1000;

/**
 * Starts the workers, replaces each that ends or cannot be spawned, and passes on the signal that ends all of them. The exit
 * code is 0 if all then end well.
 * @param {Config} config with the number of workers
 * @returns {Promise<boolean>} false if they end instead: by a signal, or because one could not start and has said why
 */
export async function startWorkers(config) {
  const log = createLog(config);
  const count = config.workers?.count ?? 1;
  let isEnding = false;
  let hasStarted = false;

  const end = () => {
    isEnding = true;
    for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGTERM');
  };
  /** @param {number} index @param {object} facts @param {string} words for the log */
  const startAgain = (index, facts, words) => {
    log.error({ worker: index, ...facts }, words);
    setTimeout(() => start(index), RESTART_AFTER_MS);
  };
  /** @param {number} index @returns {Promise<boolean>} whether it is ready; it may have ended instead */
  const start = async (index) => {
    // The signal may have come while another one started, and passes this one by.
    if (isEnding) return false;
    const worker = cluster.fork({ NODE_APP_INSTANCE: String(index) });
    let wasReady = false;
    // One without a process never exits: the system may be out of processes, files or memory for a while.
    worker.on('error', (error) => {
      if (!hasStarted || isEnding || worker.process.pid !== undefined) return;
      startAgain(index, { err: error }, 'worker could not be started; trying again');
    });
    worker.once('exit', (code, signal) => {
      if (isEnding) {
        // A worker that has just been started may not handle signals yet.
        if (code !== 0 && !SIGNALS.some((name) => name === signal)) process.exitCode = 1;
        return;
      }
      if (!hasStarted && !wasReady) return;
      startAgain(index, { code, signal }, 'worker ended; starting a new one');
    });
    const exited = once(worker, 'exit').then(() => false);
    // This is the message 'ready', for which pm2 also waits.
    const ready = once(worker, 'message').then(() => (wasReady = true));
    return Promise.race([ready, exited]).catch(() => false);
  };

  cluster.setupPrimary({ exec: SERVER, args: [] });
  for (const signal of SIGNALS) process.on(signal, end);
  // The first worker migrates the store, and reports what is wrong with the store or the port.
  const isFirstReady = await start(0);
  const others = Array.from({ length: isFirstReady ? count - 1 : 0 }, (_, index) => start(index + 1));
  hasStarted = [isFirstReady, ...(await Promise.all(others))].every(Boolean);
  if (hasStarted || isEnding) return !isEnding;
  process.exitCode = 1;
  end();
  return false;
}
