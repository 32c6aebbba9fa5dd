/** The memory of a server of one process while the users of a trial wait: the RSS that it reports. */

/**
 * @import { JobsProgress } from '../../core/experiments/jobs/follow.js'
 * @import { ReadTraffic } from '../../core/net/delivery/traffic.js'
 * @typedef {{ userCount: number, rssBytes: number }} WaitingMemory while `userCount` users waited
 * @typedef {{ userCount: number, bytesPer1000Users: number }} MemoryOfUsers
 */

/** The server records nothing for this trial. */
const NO_TRIAL = 'serverMemory';
const LOOK_MS = 200;

/**
 * @param {ReadTraffic} readTraffic @returns {Promise<number | undefined>} bytes; absent if there are several processes
 */
export async function readMemory(readTraffic) {
  const { workers = [], silentWorkerCount = 0 } = (await readTraffic(NO_TRIAL)) ?? {};
  return workers.length === 1 && silentWorkerCount === 0 ? workers[0].rssBytes : undefined;
}

/**
 * @param {{ readTraffic: ReadTraffic, state: JobsProgress, jobs: number }} options `state` of a trial, with `jobs` per
 *   user
 * @returns {() => WaitingMemory | undefined} to be called at the end: the memory when the number of waiting users was
 *   at its maximum
 */
export function watchMemory({ readTraffic, state, jobs }) {
  /** @type {WaitingMemory | undefined} */
  let largest;
  const timer = setInterval(async () => {
    const userCount = countWaitingUsers(state, jobs);
    if (userCount <= (largest?.userCount ?? 0)) return;
    const rssBytes = await readMemory(readTraffic);
    if (rssBytes !== undefined && userCount > (largest?.userCount ?? 0)) largest = { userCount, rssBytes };
  }, LOOK_MS);
  return () => {
    clearInterval(timer);
    return largest;
  };
}

/**
 * Users with a job that is created, and neither notified nor failed.
 * @param {JobsProgress} state @param {number} jobs
 */
export function countWaitingUsers({ createdAtMs, notifiedAtMs, failed }, jobs) {
  const waiting = new Set();
  for (const [job, ms] of createdAtMs.entries()) {
    if (ms >= 0 && Number.isNaN(notifiedAtMs[job]) && !failed[job]) waiting.add(Math.floor(job / jobs));
  }
  return waiting.size;
}

/**
 * Returns the memory in the step with the most users; absent if it was not measured.
 * @param {readonly { memory?: WaitingMemory }[]} steps @param {number} [beforeBytes] before the first
 * @returns {MemoryOfUsers | undefined}
 */
export function memoryOf(steps, beforeBytes) {
  const [largest] = steps.flatMap(({ memory }) => memory ?? []).sort((a, b) => b.userCount - a.userCount);
  if (!largest || beforeBytes === undefined) return undefined;
  return {
    userCount: largest.userCount,
    bytesPer1000Users: ((largest.rssBytes - beforeBytes) * 1000) / largest.userCount,
  };
}

/** The minimum number of users: a process allocates and frees memory by some MB at a time, which hides fewer users. */
const MIN_USERS = 200;

/** @param {MemoryOfUsers | undefined} memory @returns {string} like '18.0 MB (measured with 400 users)' */
export function describeMemory(memory) {
  if (!memory) return 'not measured';
  const { bytesPer1000Users, userCount } = memory;
  if (userCount < MIN_USERS) return `not measured: needs ${MIN_USERS} waiting users, had ${userCount}`;
  if (bytesPer1000Users <= 0) return `too little to measure with ${userCount} users`;
  return `${(bytesPer1000Users / 1e6).toFixed(1)} MB (measured with ${userCount} users)`;
}
