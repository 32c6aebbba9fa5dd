import { fetchBeside } from './http.js';

/**
 * @typedef {object} Status what `/status` answers
 * @property {string} server
 * @property {string} location
 * @property {string} version
 * @property {number} worker which of them answered
 * @property {number} [ipFamily] 4 or 6, of the visitor's connection; absent where a proxy hides it
 * @property {number} [pollCostMs] the CPU time that its operator made each poll of a job cost
 * @property {string} [contentEncoding] of a proxy, as the server itself does not compress it
 * @property {WorkerStatus[]} workers that answered
 * @property {number} silentWorkerCount how many did not
 * @typedef {object} WorkerStatus its counts only grow: two readings tell what was in between
 * @property {number} worker
 * @property {string} startedAt in ISO 8601
 * @property {number} openSessions the only figure that falls, too
 * @property {number} echoCount
 * @property {{ lagCount: number, lagTotalMs: number }} eventLoop
 */

/**
 * Reads the status; absent if the server could not be asked.
 * @param {typeof globalThis.fetch} fetch @param {string} url @param {AbortSignal} [signal]
 * @returns {Promise<Status | undefined>}
 */
export const readStatus = (fetch, url, signal) => fetchBeside(fetch, url, pickStatus, signal);

/**
 * Picks the known fields for a result.
 * @param {any} answer @param {{ get(name: string): string | null }} headers @returns {Status}
 * @throws {TypeError} if it is not a status
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
