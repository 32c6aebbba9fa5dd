/** The traffic of a trial, as the server records it: only the socket knows all that went over it. */
import { createId } from '../../base/random.js';
import { sumOf } from '../../base/statistics.js';
import { fetchBeside } from '../http.js';
import { areSameWorkers } from '../status.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @typedef {{ workers: WorkerTraffic[], silentWorkerCount: number }} TrafficReading
 * @typedef {Record<Count, number> & { startedAt: string, cpuMs: number, rssBytes?: number }} WorkerTraffic `startedAt` in ISO
 *   8601; `rssBytes`: the resident memory, which older servers do not report
 * @typedef {(typeof COUNTS)[number]} Count
 * @typedef {object} Traffic of all workers together, between two readings
 * @property {number} elapsedMs
 * @property {number} readingCount how often the server was asked, which is in its CPU time: once, and again for each time that
 *   connections were still open
 * @property {number} requestCount
 * @property {number} messageCount
 * @property {number} receivedBytes
 * @property {number} sentBytes
 * @property {number} otherCount what was served that is not the trial's
 * @property {number} cpuMs
 * @typedef {{ elapsedMs: number, cpuMs: number, readingCpuMs: number, otherCount: number }} IdleServer its use of a time without a
 *   trial; `cpuMs` has one reading in it, which is `readingCpuMs`
 * @typedef {'unread' | 'silent' | 'restarted' | 'open'} TrafficFault why there is none: the server could not be asked;
 *   a worker did not answer; workers came or went; connections stayed open
 * @typedef {(trialId: string) => Promise<TrafficReading | undefined>} ReadTraffic
 * @typedef {(trialId: string) => Promise<() => Promise<{ traffic: Traffic } | { trafficFault: TrafficFault }>>} WatchTraffic begins to
 *   watch a trial; call the returned function when its connections are closed
 */

/** A connection is recorded when it is closed, which takes a moment. */
const LOOK_AGAIN_MS = 50;
const MAX_READINGS = 40;
/** A pause between two trials that is longer may have requests of others, which are not a trial's. */
const MAX_PAUSE_MS = 1000;

/**
 * Reads the traffic of a trial; absent if the server could not be asked.
 * @param {typeof globalThis.fetch} fetch @param {string} url of `/traffic/ID` @param {AbortSignal} [signal]
 * @returns {Promise<TrafficReading | undefined>}
 */
export const readTraffic = (fetch, url, signal) => fetchBeside(fetch, url, pickTraffic, signal);

/**
 * The counts of a worker. Of the trial, it counts HTTP requests and upgrades, socket messages received, notifications sent (as
 * messages, events or delayed answers), and bytes with headers. It also counts connections and requests that are still open, and
 * not recorded yet, and what its process served to all clients since it began. `cpuMs` is that of the process, user and
 * system.
 */
const COUNTS = /** @type {const} */ ([
  'worker', 'requestCount', 'messageCount', 'notifiedCount', 'receivedBytes', 'sentBytes', 'openCount', 'servedCount',
]); // prettier-ignore

/** @param {any} value @returns {number} a count, or not a number */
const toCount = (value) => (Number.isSafeInteger(value) && value >= 0 ? value : NaN);

/**
 * Picks the known fields, as a newer server may say more, and a proxy anything; absent if some are missing.
 * @param {any} answer @returns {TrafficReading | undefined}
 */
function pickTraffic({ workers: given, silentWorkerCount: silent }) {
  const silentWorkerCount = toCount(silent);
  const workers = /** @type {any[]} */ (given).map((one) => ({
    startedAt: String(one.startedAt),
    cpuMs: one.cpuMs >= 0 ? Number(one.cpuMs) : NaN,
    ...(one.rssBytes !== undefined && { rssBytes: toCount(one.rssBytes) }),
    .../** @type {Record<Count, number>} */ (Object.fromEntries(COUNTS.map((name) => [name, toCount(one[name])]))),
  }));
  const figures = [...workers.flatMap(({ startedAt: _, ...counts }) => Object.values(counts)), silentWorkerCount];
  return workers.length > 0 && !figures.includes(NaN) ? { workers, silentWorkerCount } : undefined;
}

/**
 * Watches the trials of a run, one after the other: the reading after a trial is that before the next one, if that begins soon.
 * @param {{ readTraffic: ReadTraffic, now: Now, sleep: (ms: number) => Promise<void>, maxPauseMs?: number }} options `maxPauseMs`: the
 *   maximum age of a reading that is used again
 * @returns {WatchTraffic}
 */
export function createTrafficWatch({ readTraffic, now, sleep, maxPauseMs = MAX_PAUSE_MS }) {
  /** @type {{ reading: TrafficReading | undefined, atMs: number } | undefined} */
  let last;
  const read = async (/** @type {string} */ trialId) => (last = { reading: await readTraffic(trialId), atMs: now() });

  return async (trialId) => {
    const isFresh = last?.reading !== undefined && now() - last.atMs < maxPauseMs;
    const { reading: before, atMs: startedAtMs } = last && isFresh ? last : await read(trialId);

    return async () => {
      let readingCount = 1;
      let { reading: after, atMs } = await read(trialId);
      for (; before && after && grown('openCount', after) > 0 && readingCount < MAX_READINGS; readingCount++) {
        await sleep(LOOK_AGAIN_MS);
        ({ reading: after, atMs } = await read(trialId));
      }
      if (!before || !after) return { trafficFault: 'unread' };
      if (before.silentWorkerCount > 0 || after.silentWorkerCount > 0) return { trafficFault: 'silent' };
      if (!areSameWorkers(before, after)) return { trafficFault: 'restarted' };
      if (grown('openCount', after) > 0) return { trafficFault: 'open' };
      return { traffic: { elapsedMs: atMs - startedAtMs, readingCount, ...differenceOf(before, after) } };
    };
  };
}

/** Creates the id under which the server records a trial's traffic. */
export const createTrialId = () => createId(12);

/**
 * Measures what the server uses while it does nothing for this run.
 * @param {{ readTraffic: ReadTraffic, watch: WatchTraffic, wait: () => Promise<void> }} options
 * @returns {Promise<IdleServer | undefined>} absent if it could not be read
 */
export async function measureIdleServer({ readTraffic, watch, wait }) {
  const trialId = createTrialId();
  // The first reading finds cold code, and costs several times as much.
  await readTraffic(trialId);
  const reading = await (await watch(trialId))();
  const readGrown = await watch(trialId);
  await wait();
  const grown = await readGrown();
  if ('trafficFault' in reading || 'trafficFault' in grown) return undefined;
  const { elapsedMs, cpuMs, otherCount } = grown.traffic;
  return { elapsedMs, cpuMs, readingCpuMs: reading.traffic.cpuMs, otherCount: reading.traffic.otherCount + otherCount };
}

/** @param {Count | 'cpuMs'} name @param {TrafficReading} after @param {TrafficReading} [before] */
function grown(name, { workers }, before) {
  return sumOf(workers, (one) => one[name]) - sumOf(before?.workers ?? [], (one) => one[name]);
}

/**
 * The one before may be about another trial; of this one, nothing was recorded by then.
 * @param {TrafficReading} before @param {TrafficReading} after
 */
function differenceOf(before, after) {
  const requestCount = grown('requestCount', after);
  const messageCount = grown('messageCount', after);
  return {
    requestCount,
    messageCount,
    receivedBytes: grown('receivedBytes', after),
    sentBytes: grown('sentBytes', after),
    otherCount: grown('servedCount', after, before) - requestCount - messageCount - grown('notifiedCount', after),
    cpuMs: grown('cpuMs', after, before),
  };
}
