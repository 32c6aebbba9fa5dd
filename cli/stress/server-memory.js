/** The memory of a server of one process while the users of a trial wait: the RSS that it reports. */

/**
 * @import { JobsProgress } from '../../core/experiments/jobs/follow.js'
 * @import { ReadTraffic } from '../../core/net/delivery/traffic.js'
 * @typedef {{ userCount: number, rssBytes: number }} WaitingMemory while so many users waited
 */

/** The server records nothing for this trial. */
const NO_TRIAL = 'serverMemory';
const LOOK_MS = 200;

/** @param {ReadTraffic} readTraffic @returns {Promise<number | undefined>} bytes; absent where there are several processes */
export async function readMemory(readTraffic) {
  const { workers = [], silentWorkerCount = 0 } = (await readTraffic(NO_TRIAL)) ?? {};
  return workers.length === 1 && silentWorkerCount === 0 ? workers[0].rssBytes : undefined;
}

/**
 * @param {{ readTraffic: ReadTraffic, state: JobsProgress, jobs: number }} options `state` of a trial, with `jobs` per user
 * @returns {() => WaitingMemory | undefined} to be called at the end: when the most users waited
 */
export function watchMemory({ readTraffic, state, jobs }) {
  /** @type {WaitingMemory | undefined} */
  let most;
  const timer = setInterval(async () => {
    const userCount = countWaitingUsers(state, jobs);
    if (userCount <= (most?.userCount ?? 0)) return;
    const rssBytes = await readMemory(readTraffic);
    if (rssBytes !== undefined && userCount > (most?.userCount ?? 0)) most = { userCount, rssBytes };
  }, LOOK_MS);
  return () => {
    clearInterval(timer);
    return most;
  };
}

/** Users with a job that is created, and neither notified nor failed. @param {JobsProgress} state @param {number} jobs */
export function countWaitingUsers({ createdAtMs, notifiedAtMs, failed }, jobs) {
  const waiting = new Set();
  for (const [job, ms] of createdAtMs.entries()) {
    if (ms >= 0 && Number.isNaN(notifiedAtMs[job]) && !failed[job]) waiting.add(Math.floor(job / jobs));
  }
  return waiting.size;
}

/**
 * Of the step with the most users; absent where it was not measured.
 * @param {readonly { memory?: WaitingMemory }[]} steps @param {number} [beforeBytes] before the first
 */
export function memoryOf(steps, beforeBytes) {
  const [most] = steps.flatMap(({ memory }) => memory ?? []).sort((a, b) => b.userCount - a.userCount);
  if (!most || beforeBytes === undefined) return undefined;
  return { userCount: most.userCount, bytesPer1000Users: ((most.rssBytes - beforeBytes) * 1000) / most.userCount };
}

/** A process takes and returns memory by some MB at a time: fewer users do not stand out from that. */
const LEAST_USERS = 200;

/** @param {ReturnType<typeof memoryOf>} memory @returns {string} like '18.0 MB (measured with 400 users)' */
export function describeMemory(memory) {
  if (!memory) return 'not measured';
  const { bytesPer1000Users, userCount } = memory;
  if (userCount < LEAST_USERS) return `not measured: needs ${LEAST_USERS} waiting users, had ${userCount}`;
  if (bytesPer1000Users <= 0) return `too little to measure with ${userCount} users`;
  return `${(bytesPer1000Users / 1e6).toFixed(1)} MB (measured with ${userCount} users)`;
}
