import { meanInterval } from './mean-interval.js';

/** @import { Interval } from './mean-interval.js' */

/**
 * The interval of what multiplies, like ratios and rates: Student's t of the logarithms, so it never reaches 0.
 *
 * @param {readonly number[]} values above 0
 * @param {number} [confidence]
 * @returns {Interval | undefined} its estimate is the geometric mean; absent for fewer than two
 * @example ratioInterval([2, 8]).estimate // 4
 */
export function ratioInterval(values, confidence = 0.95) {
  const interval = meanInterval(values.map(Math.log), confidence);
  if (!interval) return undefined;
  const { estimate, low, high } = interval;
  return { estimate: Math.exp(estimate), low: Math.exp(low), high: Math.exp(high) };
}
