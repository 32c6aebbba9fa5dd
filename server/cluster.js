/** Runs the site as several processes behind one port, as pm2 does, where there is no pm2: in a container, or by hand. */
import cluster from 'node:cluster';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { FROZEN_MS, watchPulse } from './pulse.js';
import { createLog, flushLog } from './telemetry/log.js';

/** @import { Worker } from 'node:cluster' */
/** @import { Config } from './config.js' */

const SERVER = fileURLToPath(new URL('../server.js', import.meta.url));
const SIGNALS = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
/** A pause before a restart, because the cause may last: for example, a database that does not answer. */
const RESTART_AFTER_MS = 1000;
const pause = () => new Promise((resolve) => setTimeout(resolve, RESTART_AFTER_MS));

/**
 * Starts the workers, replaces each that ends, freezes or cannot be spawned, and passes on the signal that ends all of them.
 * The exit code is 0 if all then end well.
 * @param {Config} config with the number of workers
 * @returns {Promise<boolean>} false if they end instead: by a signal, or because one could not start and has said why
 */
export async function startWorkers(config) {
  const log = createLog(config);
  const count = config.workers?.count ?? 1;
  /** @type {Set<Worker>} */
  const running = new Set();
  let isEnding = false;
  let hasStarted = false;

  const exitAfterLast = async () => {
    if (running.size > 0) return;
    await flushLog();
    process.exit();
  };
  const end = () => {
    isEnding = true;
    for (const worker of running) worker.process.kill('SIGTERM');
    void exitAfterLast();
  };
  /** @param {number} index @returns {Promise<boolean>} whether it is ready; it may have ended instead */
  const start = async (index) => {
    // The signal may have come while another one started, and passes this one by.
    if (isEnding) return false;
    try {
      return await startProcess(index);
    } catch (error) {
      // The system may be out of processes, files or memory for a while.
      log.error({ worker: index, err: error }, 'worker could not be started; trying again');
      await pause();
      return start(index);
    }
  };
  /** @param {number} index @throws where there is no process for it */
  const startProcess = async (index) => {
    const worker = await fork(index);
    running.add(worker);
    let isReady = false;
    let fault = 'ended';
    worker.once('exit', async (code, signal) => {
      running.delete(worker);
      const facts = { worker: index, code, signal };
      if (isEnding) {
        // A worker that has just been started may not handle signals yet.
        if (code !== 0 && !SIGNALS.some((name) => name === signal)) {
          log.error(facts, `worker ${fault}`);
          process.exitCode = 1;
        }
        return exitAfterLast();
      }
      if (!hasStarted && !isReady) return;
      log.error(facts, `worker ${fault}; starting a new one`);
      await pause();
      await start(index);
    });
    isReady = await new Promise((resolve) => {
      // This is the message 'ready', for which pm2 also waits.
      worker.once('message', () => resolve(true));
      worker.once('exit', () => resolve(false));
    });
    if (isReady) {
      watchPulse(worker, () => {
        fault = `has not answered for ${FROZEN_MS / 1000} s`;
        worker.process.kill('SIGKILL');
      });
    }
    return isReady;
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

/** @param {number} index @returns {Promise<Worker>} with a process */
async function fork(index) {
  const worker = cluster.fork({ NODE_APP_INSTANCE: String(index) });
  if (worker.process.pid === undefined) throw (await once(worker, 'error'))[0];
  // A message that could not be sent: the worker ends.
  worker.on('error', () => {});
  return worker;
}
