/**
 * Lag: from the moment when a job is done to the moment when that is known here. No clocks need to agree.
 *
 * A creation answer that comes at once was half a round trip on its way, so the job is done its duration after that, less
 * the half. Where many jobs are made at once their answers wait, at the server or here, and are read late. How late is
 * known where the server has one clock: it says when it made each job, and within a trial its clock runs as ours does. So
 * the answer that came soonest after the server could have sent it, of all that say that a job is made or done, tells how
 * the clocks stand to each other.
 */

/** @import { ToldColumns } from './measure.js' */

/** @typedef {Pick<ToldColumns, 'sentAtMs' | 'createdAtMs' | 'toldAtMs' | 'durationMs' | 'madeAtMs'>} Times */

/** The server keeps whole milliseconds. */
export const SERVER_STEP_MS = 1;

/** A clock that is being set right runs so much faster or slower than ours: https://man7.org/linux/man-pages/man2/adjtimex.2.html */
const SLEW_RATIO = 5e-4;

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
 * One clock stands to ours in one way for all jobs, so that each was made between the asking and the answer.
 *
 * @param {Times} told
 * @param {number} stepMs
 */
function isOneClock({ sentAtMs, createdAtMs, madeAtMs }, stepMs) {
  let [leastMs, mostMs, firstMs, lastMs] = [-Infinity, Infinity, Infinity, -Infinity];
  for (const [i, madeMs] of madeAtMs.entries()) {
    leastMs = Math.max(leastMs, sentAtMs[i] - madeMs);
    mostMs = Math.min(mostMs, createdAtMs[i] - madeMs);
    firstMs = Math.min(firstMs, sentAtMs[i]);
    lastMs = Math.max(lastMs, createdAtMs[i]);
  }
  const toleranceMs = SERVER_STEP_MS + stepMs + Math.max(0, lastMs - firstMs) * SLEW_RATIO;
  return leastMs <= mostMs + toleranceMs;
}

/**
 * What says that a job is done comes long after it was made, while one clock may have run away from the other: by so much it
 * is not believed.
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
  let soonestMs = Infinity;
  for (const [i, madeMs] of madeAtMs.entries()) {
    const toldMs = toldAtMs[i] - madeMs - durationMs[i] * (1 - SLEW_RATIO);
    soonestMs = Math.min(soonestMs, createdAtMs[i] - madeMs, toldMs);
  }
  return createdAtMs.map((createdMs, i) => {
    const mostMs = Math.max(0, createdMs - sentAtMs[i] - roundTripMs);
    return Math.min(mostMs, createdMs - madeAtMs[i] - soonestMs);
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
