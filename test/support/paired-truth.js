/**
 * Whether a figure is what a bare client saw of the same thing in the same interleaved run.
 *
 * A server's timer is no truth for what a client measures: a process that slept for longer wakes up more slowly, so a
 * difference of 8.35 ms between two timers arrives as 8.5 ms, every time. A bare loop meets all of that, too.
 *
 * The false-alarm rate: where both loops see the same, a block's figure is as likely above the bare one as below it, on
 * a quiet machine and on a busy one. So the order of the differences alone gives an interval that misses the truth once in
 * five million, whatever their distribution ({@link medianInterval}). Our loop has more code to run when it wakes up than
 * the bare one; that is below a twentieth of the figure, which therefore is no alarm either.
 */
import { medianInterval } from '../../bench/pairs.js';

export const FALSE_ALARM_RATE = 2e-7;
const MARGIN = 0.05;

/**
 * @param {readonly number[]} measured a figure for each block
 * @param {readonly number[]} bare what a bare client saw in the same block
 * @throws {RangeError} for too few blocks: 24 are enough
 */
export function compareWithBare(measured, bare) {
  const differences = measured.map((value, block) => value - bare[block]);
  const { low, high } = medianInterval(differences, 1 - FALSE_ALARM_RATE);
  const { median: truth } = medianInterval(bare, 0.95);
  const margin = MARGIN * Math.abs(truth);
  return { truth, low, high, isSame: low <= margin && high >= -margin };
}
