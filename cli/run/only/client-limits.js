/**
 * The limits of this program as a client: how busy it is, as one that cannot keep up notices late what came in time; and how
 * many files, and with them connections, it may have open.
 */
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { openJobCountOf } from '../../../core/experiments/jobs/plan.js';
import { HTTP1_CONNECTION_COUNT } from '../../../core/net/http.js';
import { deliveries } from '../../../core/net/delivery/index.js';
import { labelOfDelivery } from '../../../core/net/labels.js';

/**
 * @import { JobsPlan, PlannedTrial } from '../../../core/experiments/jobs/plan.js'
 * @typedef {ReturnType<ReturnType<typeof watchClientLoad>>} ClientLoad `busiest`: the part of its busiest half second that the
 *   event loop worked, 0 to 1; `timerLateMs`: how late its own timers were, 99 of 100 of them at most
 * @typedef {Pick<JobsPlan, 'users' | 'jobs' | 'arrangement'>} Users
 */

const WINDOW_MS = 500;
const RESOLUTION_MS = 10;
const NS_PER_MS = 1e6;
/** Above this part of its time there is no telling whose limit it was. */
export const BUSY = 0.9;
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
  const { socketPer } = deliveries[way];
  if (socketPer === 'job') return plan.users * openCount;
  if (socketPer === 'user') return plan.users;
  return plan.users * Math.min(openCount, HTTP1_CONNECTION_COUNT);
}

/**
 * @param {PlannedTrial} trial @param {Users} plan @param {number} [limit]
 * @returns {string | undefined} a sentence; absent where the limit is high enough
 */
export function describeFileLimit(trial, plan, limit) {
  const needed = countConnections(trial, plan);
  if (limit === undefined || needed + OTHER_FILE_COUNT <= limit) return undefined;
  return `${labelOfDelivery(trial.way, trial.intervalMs)} may need ${needed} connections at once, but this program may open only ${limit} files. Raise that limit (ulimit -n), or jobs may fail.`;
}
