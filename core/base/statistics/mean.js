/**
 * The arithmetic mean.
 *
 * @param {readonly number[]} values
 * @returns {number | undefined} absent for no values
 * @example mean([1, 2, 6]) // 3
 */
export function mean(values) {
  if (values.length === 0) return undefined;
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}
