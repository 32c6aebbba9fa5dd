/**
 * Notification latency, `lag`: from the moment when a job is done until the client knows it. No clocks need to agree.
 *
 * A creation answer that comes at once took half a round trip, so the job is done its duration after that, less
 * the half. Where many jobs are created at once their answers wait, at the server or here, and are read late. How late is
 * known where the server has one clock: it says when it created each job, and within a trial its clock runs as ours does, to
 * {@link CLOCK_TOLERANCE}. So the answer that came soonest after the server could have sent it, of all that say that a job
 * is created or done, gives the offset between the clocks.
 */

/**
 * @import { NotifiedJobs } from './measure.js'
 * @import { Measured } from './summary.js'
 */

/** @typedef {Pick<NotifiedJobs, 'sentAtMs' | 'createdAtMs' | 'toldAtMs' | 'durationMs' | 'madeAtMs'>} Times */

/** The server's times are whole milliseconds. */
export const SERVER_STEP_MS = 1;

/** One clock may drift from the other by this part of the time that passes, as one does that is being adjusted. */
export const CLOCK_TOLERANCE = 5e-4;

/**
 * Why it is not known how late creation answers were read: the client's clock is too coarse for it, or the jobs were
 * created by several clocks that do not agree.
 *
 * @typedef {'coarse' | 'several'} ClockFault
 */

/**
 * @param {Times} notified of one trial
 * @param {number} roundTripMs
 * @param {number} [stepMs] of the client's clock
 * @returns {ClockFault | undefined} absent where it is known how late answers were read
 */
export function clockFaultOf(notified, roundTripMs, stepMs = 0) {
  if (stepMs > roundTripMs / 2 + SERVER_STEP_MS) return 'coarse';
  return isOneClock(notified, stepMs) ? undefined : 'several';
}

/**
 * One clock has the same offset to ours for all jobs, each of which was created between request and answer.
 * @param {Times} notified @param {number} stepMs
 */
function isOneClock({ sentAtMs, createdAtMs, madeAtMs }, stepMs) {
  const leastMs = Math.max(...madeAtMs.map((madeMs, i) => sentAtMs[i] - madeMs));
  const mostMs = Math.min(...madeAtMs.map((madeMs, i) => createdAtMs[i] - madeMs));
  return leastMs <= mostMs + stepMs + SERVER_STEP_MS;
}

/**
 * A notification comes long after the job was created, so it counts only to the clocks' tolerance.
 *
 * @param {Times} notified of one trial
 * @param {number} roundTripMs
 * @param {number} [stepMs] of the client's clock
 * @returns {number[]} milliseconds by which each creation answer was read later than half a round trip after the job was
 *   created, never more than there was time for between request and answer; 0 where that is not known
 */
export function lateReadsOf(notified, roundTripMs, stepMs) {
  const { sentAtMs, createdAtMs, toldAtMs, durationMs, madeAtMs } = notified;
  if (clockFaultOf(notified, roundTripMs, stepMs)) return createdAtMs.map(() => 0);
  const readsMs = madeAtMs.map((madeMs, i) => createdAtMs[i] - madeMs);
  const notifiedMs = madeAtMs.map((madeMs, i) => toldAtMs[i] - madeMs - durationMs[i] * (1 - CLOCK_TOLERANCE));
  const soonestMs = Math.min(...readsMs, ...notifiedMs);
  return readsMs.map((readMs, i) => {
    const mostMs = Math.max(0, createdAtMs[i] - sentAtMs[i] - roundTripMs);
    return Math.min(mostMs, readMs - soonestMs);
  });
}

/**
 * @param {Times} notified of one trial
 * @param {number} roundTripMs
 * @param {number} [stepMs] of the client's clock
 * @returns {number[]} milliseconds, in the order of the jobs
 */
export function lagsOf(notified, roundTripMs, stepMs) {
  const lateReads = lateReadsOf(notified, roundTripMs, stepMs);
  const { createdAtMs, toldAtMs, durationMs } = notified;
  return toldAtMs.map((ms, i) => ms - createdAtMs[i] - durationMs[i] + lateReads[i] + roundTripMs / 2);
}

/**
 * @param {number} roundTripMs
 * @param {number} [stepMs] of the client's clock
 * @returns {number} milliseconds by which a lag may be off, where late reads are known
 */
export function lagErrorOf(roundTripMs, stepMs = 0) {
  return roundTripMs / 2 + stepMs + SERVER_STEP_MS;
}

/**
 * @param {Pick<Measured, 'roundTripMs'>} measured
 * @returns {number | undefined} the shortest, which stands for the network; absent where none was measured
 */
export function roundTripOf({ roundTripMs }) {
  return roundTripMs.length === 0 ? undefined : Math.min(...roundTripMs);
}

/**
 * @param {NotifiedJobs} notified
 * @param {Pick<Measured, 'roundTripMs' | 'environment'>} measured
 * @returns {number[]} milliseconds, in the order of the jobs; none where the round trip is not known
 */
export function lagsIn(notified, measured) {
  const roundTripMs = roundTripOf(measured);
  return roundTripMs === undefined ? [] : lagsOf(notified, roundTripMs, measured.environment?.stepMs);
}
