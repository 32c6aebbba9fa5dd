/**
 * Lag: from the moment when a job is done to the moment when that is known here. No clocks need to agree.
 *
 * A creation answer that comes at once was half a round trip on its way, so the job is done its duration after that, less
 * the half. Where many jobs are made at once their answers wait, at the server or here, and are read late. How late is
 * known where the server has one clock: it says when it made each job, and within a trial its clock runs as ours does, to
 * {@link CLOCK_TOLERANCE}. So the answer that came soonest after the server could have sent it, of all that say that a job
 * is made or done, tells how the clocks stand to each other.
 */

/** @import { ToldColumns } from './measure.js' */

/** @typedef {Pick<ToldColumns, 'sentAtMs' | 'createdAtMs' | 'toldAtMs' | 'durationMs' | 'madeAtMs'>} Times */

/** The server keeps whole milliseconds. */
export const SERVER_STEP_MS = 1;

/** By so much of the time that passes one clock may run away from the other, as one does that is being set right. */
export const CLOCK_TOLERANCE = 5e-4;

/**
 * Why it is not known how late creation answers were read: the client's clock is too coarse for it, or the jobs were made
 * by several clocks that do not agree.
 *
 * @typedef {'coarse' | 'several'} ClockFault
 */

/**
 * @param {Times} told of one trial
 * @param {number} roundTripMs
 * @param {number} [stepMs] of the client's clock
 * @returns {ClockFault | undefined} absent where late reads can be told
 */
export function clockFaultOf(told, roundTripMs, stepMs = 0) {
  if (stepMs > roundTripMs / 2 + SERVER_STEP_MS) return 'coarse';
  return isOneClock(told, stepMs) ? undefined : 'several';
}

/**
 * One clock stands to ours in one way for all jobs, each of which was made between asking and answer.
 * @param {Times} told @param {number} stepMs
 */
function isOneClock({ sentAtMs, createdAtMs, madeAtMs }, stepMs) {
  const leastMs = Math.max(...madeAtMs.map((madeMs, i) => sentAtMs[i] - madeMs));
  const mostMs = Math.min(...madeAtMs.map((madeMs, i) => createdAtMs[i] - madeMs));
  return leastMs <= mostMs + stepMs + SERVER_STEP_MS;
}

/**
 * What says that a job is done comes long after it was made, so it is believed but for the clocks' tolerance.
 *
 * @param {Times} told of one trial
 * @param {number} roundTripMs
 * @param {number} [stepMs] of the client's clock
 * @returns {number[]} milliseconds by which each creation answer was read later than half a round trip after the job was
 *   made, never more than there was time for between asking and the answer; 0 where that is not known
 */
export function lateReadsOf(told, roundTripMs, stepMs) {
  const { sentAtMs, createdAtMs, toldAtMs, durationMs, madeAtMs } = told;
  if (clockFaultOf(told, roundTripMs, stepMs)) return createdAtMs.map(() => 0);
  const readsMs = madeAtMs.map((madeMs, i) => createdAtMs[i] - madeMs);
  const tellsMs = madeAtMs.map((madeMs, i) => toldAtMs[i] - madeMs - durationMs[i] * (1 - CLOCK_TOLERANCE));
  const soonestMs = Math.min(...readsMs, ...tellsMs);
  return readsMs.map((readMs, i) => {
    const mostMs = Math.max(0, createdAtMs[i] - sentAtMs[i] - roundTripMs);
    return Math.min(mostMs, readMs - soonestMs);
  });
}

/**
 * @param {Times} told of one trial
 * @param {number} roundTripMs
 * @param {number} [stepMs] of the client's clock
 * @returns {number[]} milliseconds, in the order of the jobs
 */
export function lagsOf(told, roundTripMs, stepMs) {
  const lateReads = lateReadsOf(told, roundTripMs, stepMs);
  const { createdAtMs, toldAtMs, durationMs } = told;
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
