/**
 * What polling must come to, in closed form.
 *
 * The first poll comes one interval after the creation answer, each next one an interval after the last answer, so they are
 * a period apart: interval and round trip. A job of duration D is found by the first poll at or after D. (Where the creation
 * answer was read late, what was left of D then counts.)
 */
import { lateReadsOf } from './lag.js';
import { mean } from '../../base/statistics/values.js';

/** @import { JobsTrial, NotifiedJobs } from './measure.js' */

/**
 * @typedef {object} Prediction
 * @property {number} [pollsPerJob] of polling only
 * @property {number} [meanLagMs] of polling only; absent where the round trip is not known
 */

/**
 * @param {object} job
 * @param {number} job.durationMs
 * @param {number} job.periodMs of polling
 * @returns {number} how often it is polled
 * @example pollCountOf({ durationMs: 1200, periodMs: 500 }) // 3
 */
export function pollCountOf({ durationMs, periodMs }) {
  return Math.max(1, Math.ceil(durationMs / periodMs));
}

/**
 * @param {object} job
 * @param {number} job.durationMs
 * @param {number} job.periodMs of polling
 * @param {number} job.roundTripMs
 * @returns {number} milliseconds from done to notified, above half a round trip by at most a period
 * @example pollLagOf({ durationMs: 1200, periodMs: 500, roundTripMs: 2 }) // 301
 */
export function pollLagOf({ durationMs, periodMs, roundTripMs }) {
  return pollCountOf({ durationMs, periodMs }) * periodMs - durationMs + roundTripMs / 2;
}

/**
 * @param {Pick<NotifiedJobs, 'createdAtMs' | 'toldAtMs' | 'pollCount'>} notified of a trial by polling
 * @returns {number | undefined} the mean period, milliseconds; absent without a notification
 */
export function periodOf({ createdAtMs, toldAtMs, pollCount }) {
  let waitedMs = 0;
  let polls = 0;
  for (const [i, count] of pollCount.entries()) {
    waitedMs += toldAtMs[i] - createdAtMs[i];
    polls += count;
  }
  return polls === 0 ? undefined : waitedMs / polls;
}

/**
 * Of polling at a period, over the jobs that were drawn.
 *
 * @param {readonly number[]} durationsMs
 * @param {number} periodMs
 * @param {number} [roundTripMs]
 * @returns {Prediction}
 */
export function predictPolling(durationsMs, periodMs, roundTripMs) {
  return {
    pollsPerJob: mean(durationsMs.map((durationMs) => pollCountOf({ durationMs, periodMs }))),
    meanLagMs:
      roundTripMs === undefined
        ? undefined
        : mean(durationsMs.map((durationMs) => pollLagOf({ durationMs, periodMs, roundTripMs }))),
  };
}

/**
 * @param {Pick<JobsTrial, 'way' | 'told'>} trial
 * @param {number} [roundTripMs]
 * @param {number} [stepMs] of the client's clock
 * @returns {Prediction} over the jobs that were notified; nothing for the other delivery methods: half a round trip is
 *   their minimum, and no formula says how much more they take
 */
export function predictTrial({ way, told }, roundTripMs, stepMs) {
  const periodMs = periodOf(told);
  if (way !== 'poll' || !periodMs) return {};
  const lateReads = roundTripMs === undefined ? [] : lateReadsOf(told, roundTripMs, stepMs);
  const leftMs = told.durationMs.map((ms, i) => ms - (lateReads[i] ?? 0));
  return predictPolling(leftMs, periodMs, roundTripMs);
}
