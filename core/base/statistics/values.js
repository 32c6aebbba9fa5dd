/** What a list of values says: its sum, mean, quantiles and jitter. */

/**
 * @template T @param {readonly T[]} list @param {(item: T) => number | undefined} valueOf what is absent adds nothing
 * @returns {number}
 * @example sumOf(['a', 'bc'], ({ length }) => length) // 3
 */
export const sumOf = (list, valueOf) => list.reduce((sum, item) => sum + (valueOf(item) ?? 0), 0);

/**
 * The arithmetic mean.
 * @param {readonly number[]} values @returns {number | undefined} absent for no values
 * @example mean([1, 2, 6]) // 3
 */
export const mean = (values) => (values.length === 0 ? undefined : sumOf(values, (value) => value) / values.length);

/**
 * A quantile of sorted values by linear interpolation, type 7 of Hyndman and Fan, the default of R and NumPy.
 * Source: R. J. Hyndman, Y. Fan, "Sample Quantiles in Statistical Packages", The American Statistician 50 (1996) 361.
 * @param {readonly number[]} sorted values in rising order @param {number} probability from 0 to 1
 * @returns {number | undefined} absent for no values
 * @example quantile([1, 2, 3, 4], 0.25) // 1.75
 */
export function quantile(sorted, probability) {
  if (sorted.length === 0) return undefined;
  const position = (sorted.length - 1) * probability;
  const below = Math.floor(position);
  const above = Math.ceil(position);
  return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
}

/**
 * A percentile, where there are samples enough to speak of it: 1 / (1 - p), that is 2 for p50, 20 for p95, 100 for p99.
 * @param {readonly number[]} sorted values in rising order @param {number} percent from 0 to 99
 * @returns {number | undefined} absent for too few values
 */
export function percentile(sorted, percent) {
  return sorted.length * (100 - percent) < 100 ? undefined : quantile(sorted, percent / 100);
}

/** @param {readonly number[]} values in any order @returns {number | undefined} absent for no values */
export const median = (values) => quantile(sort(values), 0.5);

/** @param {readonly number[]} values @returns {number[]} in rising order */
export const sort = (values) => Array.from(Float64Array.from(values).sort());

/**
 * Jitter: the mean of the absolute differences between each value and the one before it, which tells an unsteady line from
 * a slow one. (RFC 3550 section 6.4.1 smooths the same differences.)
 * @param {readonly number[]} values in the order they were measured
 * @returns {number | undefined} absent for fewer than two values
 * @example jitter([10, 12, 11]) // 1.5
 */
export const jitter = (values) => mean(values.slice(1).map((value, i) => Math.abs(value - values[i])));
