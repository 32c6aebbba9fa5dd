/**
 * Jitter: the mean of the absolute differences between each value and the one before it.
 *
 * It tells an unsteady line from a slow one; order matters, so the values come as they were measured. (RFC 3550 section
 * 6.4.1 smooths the same differences.)
 *
 * @param {readonly number[]} values in the order they were measured
 * @returns {number | undefined} absent for fewer than two values
 * @example jitter([10, 12, 11]) // 1.5
 */
export function jitter(values) {
  if (values.length < 2) return undefined;
  let sum = 0;
  for (let i = 1; i < values.length; i++) sum += Math.abs(values[i] - values[i - 1]);
  return sum / (values.length - 1);
}
