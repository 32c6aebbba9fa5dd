/** The traffic of a trial, as the server records it: only the socket knows all that went over it. */
import { sumOf } from '../../base/statistics/values.js';
import { fetchBeside } from '../http.js';
import { areSameWorkers } from '../status.js';

/** @import { Now } from '../../base/clock.js' */

/** A connection is recorded when it is closed, which takes a moment. */
const LOOK_AGAIN_MS = 50;
const MOST_READINGS = 40;

/**
 * @typedef {object} WorkerTraffic
 * @property {number} worker
 * @property {string} startedAt ISO 8601
 * @property {number} requestCount HTTP requests and upgrades of the trial, as all but the last two
 * @property {number} messageCount socket messages received
 * @property {number} toldCount messages, events and delayed answers that were notifications
 * @property {number} receivedBytes from the client, heads included
 * @property {number} sentBytes to the client
 * @property {number} openCount connections and requests that are still open, and not recorded yet
 * @property {number} cpuMs of the worker's process, user and system, since it began
 * @property {number} servedCount requests, upgrades, messages and notifications of everybody since it began
 *
 * @typedef {{ workers: WorkerTraffic[], silentWorkerCount: number }} TrafficReading
 *
 * @typedef {object} Traffic of all workers together, between two readings
 * @property {number} elapsedMs between them
 * @property {number} readingCount how often the server was asked between them, which is in its CPU: once, and again for each
 *   time that connections were still open
 * @property {number} requestCount
 * @property {number} messageCount
 * @property {number} receivedBytes
 * @property {number} sentBytes
 * @property {number} otherCount what was served between them that is not the trial's
 * @property {number} cpuMs
 *
 * @typedef {'unread' | 'silent' | 'restarted' | 'open'} TrafficFault why there is none: the server could not be asked; a worker
 *   did not answer; workers came or went; connections stayed open
 *
 * @typedef {(trialId: string) => Promise<TrafficReading | undefined>} ReadTraffic
 */

const COUNTS = /** @type {const} */ ([
  'worker', 'requestCount', 'messageCount', 'toldCount', 'receivedBytes', 'sentBytes', 'openCount', 'servedCount',
]); // prettier-ignore

/**
 * @param {typeof globalThis.fetch} fetch
 * @param {string} url of `/traffic/ID`
 * @param {AbortSignal} [signal]
 * @returns {Promise<TrafficReading | undefined>} absent where the server could not be asked, or said something else
 */
export function readTraffic(fetch, url, signal) {
  return fetchBeside(fetch, url, pickTraffic, signal);
}

/** @param {unknown} value */
const isCount = (value) => Number.isSafeInteger(value) && Number(value) >= 0;

/**
 * A newer server may say more, and something between may say anything.
 * @param {any} answer @returns {TrafficReading | undefined} absent where it is none
 */
function pickTraffic({ workers, silentWorkerCount }) {
  const isWorker = (/** @type {any} */ one) => COUNTS.every((name) => isCount(one[name])) && one.cpuMs >= 0;
  if (!isCount(silentWorkerCount) || workers.length === 0 || !workers.every(isWorker)) return undefined;
  return {
    workers: workers.map((/** @type {any} */ one) => ({
      ...Object.fromEntries(COUNTS.map((name) => [name, one[name]])),
      startedAt: String(one.startedAt),
      cpuMs: Number(one.cpuMs),
    })),
    silentWorkerCount,
  };
}

/**
 * Begins to watch the traffic of a trial.
 *
 * @param {object} options
 * @param {ReadTraffic} options.readTraffic
 * @param {string} options.trialId
 * @param {Now} options.now
 * @param {(ms: number) => Promise<void>} options.sleep
 * @returns {Promise<() => Promise<{ traffic: Traffic } | { trafficFault: TrafficFault }>>} to be called at the end, when the
 *   trial's connections are closed
 */
export async function watchTraffic({ readTraffic, trialId, now, sleep }) {
  const before = await readTraffic(trialId);
  const startedAtMs = now();

  return async () => {
    let readingCount = 1;
    let after = before && (await readTraffic(trialId));
    for (; after && grown('openCount', after) > 0 && readingCount < MOST_READINGS; readingCount++) {
      await sleep(LOOK_AGAIN_MS);
      after = await readTraffic(trialId);
    }
    const elapsedMs = now() - startedAtMs;
    if (!before || !after) return { trafficFault: 'unread' };
    if (before.silentWorkerCount > 0 || after.silentWorkerCount > 0) return { trafficFault: 'silent' };
    if (!areSameWorkers(before, after)) return { trafficFault: 'restarted' };
    if (grown('openCount', after) > 0) return { trafficFault: 'open' };
    return { traffic: { elapsedMs, readingCount, ...differenceOf(before, after) } };
  };
}

/** @param {Exclude<keyof WorkerTraffic, 'startedAt'>} name @param {TrafficReading} after @param {TrafficReading} [before] */
function grown(name, { workers }, before) {
  return sumOf(workers, (one) => one[name]) - sumOf(before?.workers ?? [], (one) => one[name]);
}

/** @param {TrafficReading} before @param {TrafficReading} after */
function differenceOf(before, after) {
  const requestCount = grown('requestCount', after, before);
  const messageCount = grown('messageCount', after, before);
  return {
    requestCount,
    messageCount,
    receivedBytes: grown('receivedBytes', after, before),
    sentBytes: grown('sentBytes', after, before),
    otherCount: grown('servedCount', after, before) - requestCount - messageCount - grown('toldCount', after, before),
    cpuMs: grown('cpuMs', after, before),
  };
}
