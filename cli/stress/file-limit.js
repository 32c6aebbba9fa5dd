/** Reads how many files, and so connections, this program may have open, and counts how many a trial of jobs needs. */
import { openJobCountOf } from '../../core/experiments/jobs/plan.js';
import { deliveries } from '../../core/net/delivery/index.js';
import { HTTP1_CONNECTION_COUNT } from '../../core/net/http.js';
import { labelOfDelivery } from '../../core/experiment/answer/labels.js';

/**
 * @import { JobsPlan, PlannedTrial } from '../../core/experiments/jobs/plan.js'
 * @typedef {{ users: number, jobs: number, arrangement?: JobsPlan['arrangement'] }} Users
 */

/** The files of a program itself: its modules, standard streams, the event loop. */
const OTHER_FILE_COUNT = 100;

/** @returns {number | undefined} files that may be open; absent if there is no limit, or it is not known */
export function readFileLimit() {
  // The report would look up the names of all hosts that this program is connected to.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = /** @type {{ userLimits?: { open_files?: { soft: unknown } } }} */ (
    process.report.getReport()
  );
  const limit = Number(userLimits?.open_files?.soft);
  return Number.isFinite(limit) ? limit : undefined;
}

/** @param {PlannedTrial} trial @param {Users} plan @returns {number} at once, at most */
export function countConnections({ delivery }, plan) {
  const openCount = openJobCountOf(plan);
  const { socketPer } = deliveries[delivery];
  if (socketPer === 'job') return plan.users * openCount;
  if (socketPer === 'user') return plan.users;
  return plan.users * Math.min(openCount, HTTP1_CONNECTION_COUNT);
}

/**
 * @param {PlannedTrial} trial @param {Users} plan @param {number} [limit]
 * @returns {string | undefined} a sentence; absent if the limit is high enough
 */
export function describeFileLimit(trial, plan, limit) {
  const needed = countConnections(trial, plan);
  if (limit === undefined || needed + OTHER_FILE_COUNT <= limit) return undefined;
  return `${labelOfDelivery(trial.delivery, trial.intervalMs)} may need ${needed} connections at once, but this program can open at most ${limit} files. Raise that limit (ulimit -n); otherwise jobs may fail.`;
}
