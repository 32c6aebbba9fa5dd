import { fetchBeside } from './http.js';

/**
 * @typedef {ReturnType<typeof pickStatus>} Status what `/status` answers; `worker` is the one that answered, `ipFamily` that of
 *   the visitor's connection (absent where a proxy hides it); `pollCostMs` the CPU time that its operator made each poll of a job
 *   cost; `contentEncoding`: the server has none, so that it is a proxy's
 * @typedef {Status['workers'][number]} WorkerStatus figures that only grow, except openSessions: two readings tell
 *   what was in between; `startedAt` in ISO 8601
 */

/**
 * Reads the status; absent if the server could not be asked.
 * @param {typeof globalThis.fetch} fetch @param {string} url @param {AbortSignal} [signal]
 * @returns {Promise<Status | undefined>}
 */
export const readStatus = (fetch, url, signal) => fetchBeside(fetch, url, pickStatus, signal);

/**
 * Picks the known fields for a result.
 * @param {any} answer @param {Pick<Headers, 'get'>} headers @throws {TypeError} if it is not a status
 */
function pickStatus({ server, location, version, worker, ipFamily, pollCostMs, workers, silentWorkerCount }, headers) {
  const contentEncoding = headers.get('content-encoding');
  return {
    ...(contentEncoding && { contentEncoding }),
    server: String(server),
    location: String(location),
    version: String(version),
    worker: Number(worker),
    ...((ipFamily === 4 || ipFamily === 6) && { ipFamily: Number(ipFamily) }),
    ...(Number.isSafeInteger(pollCostMs) && pollCostMs > 0 && { pollCostMs: Number(pollCostMs) }),
    workers: /** @type {any[]} */ (workers).map((one) => ({
      worker: Number(one.worker),
      startedAt: String(one.startedAt),
      openSessions: Number(one.openSessions),
      echoCount: Number(one.echoCount),
      eventLoop: { lagCount: Number(one.eventLoop.lagCount), lagTotalMs: Number(one.eventLoop.lagTotalMs) },
    })),
    silentWorkerCount: Number(silentWorkerCount),
  };
}

/**
 * Checks whether two readings come from the very same processes.
 * @param {{ workers: readonly { worker: number, startedAt: string }[] }[]} readings
 */
export function areSameWorkers(...readings) {
  const [names, laterNames] = readings.map(({ workers }) =>
    workers.map(({ worker, startedAt }) => `${worker} ${startedAt}`).sort(),
  );
  return names.join() === laterNames.join();
}
