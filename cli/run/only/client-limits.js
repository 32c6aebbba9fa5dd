/**
 * The limits of this program as a client: how busy it is, as one that cannot keep up learns late of what came in time; and how
 * many files, and with them connections, it may have open. And the memory of a server of one process while the users of a
 * trial wait: its resident set size (RSS), as it reports it.
 */
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { openJobCountOf } from '../../../core/experiments/jobs/plan.js';
import { HTTP1_CONNECTION_COUNT } from '../../../core/net/http.js';
import { labelOfDelivery } from '../../../core/net/labels.js';

/**
 * @import { JobsProgress } from '../../../core/experiments/jobs/measure.js'
 * @import { JobsPlan, PlannedTrial } from '../../../core/experiments/jobs/plan.js'
 * @import { ReadTraffic } from '../../../core/net/delivery/traffic.js'
 * @typedef {ReturnType<ReturnType<typeof watchClientLoad>>} ClientLoad `busiest`: the part of its busiest half second that the
 *   event loop worked, 0 to 1; `timerLateMs`: how late its own timers were, 99 of 100 of them at most
 * @typedef {Pick<JobsPlan, 'users' | 'jobs' | 'arrangement'>} Users
 * @typedef {{ userCount: number, rssBytes: number }} WaitingMemory while so many users waited
 */

const WINDOW_MS = 500;
const RESOLUTION_MS = 10;
const NS_PER_MS = 1e6;
/** Above this there is no telling whose limit it was. */
const BUSY = 0.9;
/** A program's own: its modules, standard streams, the event loop. */
const OTHER_FILE_COUNT = 100;

/** What it gives is to be called at the end. */
export function watchClientLoad() {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  let busiest = 0;
  let last = performance.eventLoopUtilization();
  const look = () => {
    const current = performance.eventLoopUtilization();
    busiest = Math.max(busiest, performance.eventLoopUtilization(current, last).utilization);
    last = current;
  };
  const timer = setInterval(look, WINDOW_MS);

  return () => {
    clearInterval(timer);
    // What is left of a window says little by itself, unless it is all there was.
    if (busiest === 0) look();
    delays.disable();
    const lateMs = delays.percentile(99) / NS_PER_MS - RESOLUTION_MS;
    return { busiest, timerLateMs: Math.max(0, lateMs), isBusy: busiest > BUSY };
  };
}

/** @returns {number | undefined} files that may be open; absent where there is no limit, or it is not known */
export function readFileLimit() {
  // It would look up the names of all that this program is connected to.
  /** @type {any} */ (process.report).excludeNetwork = true;
  const { userLimits } = /** @type {any} */ (process.report.getReport());
  const limit = Number(userLimits?.open_files?.soft);
  return Number.isFinite(limit) ? limit : undefined;
}

/** @param {PlannedTrial} trial @param {Users} plan @returns {number} at once, at most */
export function countConnections({ way }, plan) {
  const openCount = openJobCountOf(plan);
  if (way === 'socket-per-job') return plan.users * openCount;
  if (way === 'push' || way === 'sockjs') return plan.users;
  return plan.users * Math.min(openCount, HTTP1_CONNECTION_COUNT);
}

/**
 * @param {PlannedTrial} trial @param {Users} plan @param {number} [limit]
 * @returns {string | undefined} a sentence; absent where the limit is high enough
 */
export function describeFileLimit(trial, plan, limit) {
  const needed = countConnections(trial, plan);
  if (limit === undefined || needed + OTHER_FILE_COUNT <= limit) return undefined;
  return `${labelOfDelivery(trial.way, trial.intervalMs)} may need ${needed} connections at once, and a program here may open ${limit} files: raise that limit (ulimit -n), or jobs may fail.`;
}

/** Nothing is recorded for it. */
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
 * @param {readonly { memory?: WaitingMemory }[]} steps @param {number} [beforeBytes] before the first
 * @returns {{ userCount: number, bytesPer1000Users: number } | undefined} of the step with the most users; absent where it was
 *   not measured
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
  if (userCount < LEAST_USERS) return `not measured: ${userCount} users waited at most, and it takes ${LEAST_USERS}`;
  if (bytesPer1000Users <= 0) return `too little to measure with ${userCount} users`;
  return `${(bytesPer1000Users / 1e6).toFixed(1)} MB (measured with ${userCount} users)`;
}
