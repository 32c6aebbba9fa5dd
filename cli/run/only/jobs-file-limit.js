/**
 * How many files, and with them connections, a program may have open: too few, and jobs fail for a reason that is neither
 * the server's nor the delivery method's.
 */
import { HTTP1_CONNECTION_COUNT } from '../../../core/net/http.js';
import { labelOfDelivery } from '../../../core/net/labels.js';

/** @import { PlannedTrial } from '../../../core/experiments/jobs/plan.js' */

/** A program's own: its modules, standard streams, the event loop. */
const OTHER_FILE_COUNT = 100;

/** @returns {number | undefined} absent where there is none, or where it is not known */
export function readFileLimit() {
  // It would look up the names of all that this program is connected to.
  /** @type {any} */ (process.report).excludeNetwork = true;
  const { userLimits } = /** @type {any} */ (process.report.getReport());
  const limit = Number(userLimits?.open_files?.soft);
  return Number.isFinite(limit) ? limit : undefined;
}

/**
 * @param {PlannedTrial} trial
 * @param {{ users: number, jobs: number }} plan
 * @returns {number} at once, at most
 */
export function countConnections({ way }, { users, jobs }) {
  if (way === 'socket-per-job') return users * jobs;
  if (way === 'push' || way === 'sockjs') return users;
  return users * Math.min(jobs, HTTP1_CONNECTION_COUNT);
}

/**
 * @param {PlannedTrial} trial
 * @param {{ users: number, jobs: number }} plan
 * @param {number} [limit]
 * @returns {string | undefined} a sentence; absent where the limit is high enough
 */
export function describeFileLimit(trial, plan, limit) {
  const needed = countConnections(trial, plan);
  if (limit === undefined || needed + OTHER_FILE_COUNT <= limit) return undefined;
  return `${labelOfDelivery(trial.way, trial.intervalMs)} may need ${needed} connections at once, and a program here may open ${limit} files: raise that limit (ulimit -n), or jobs may fail.`;
}
