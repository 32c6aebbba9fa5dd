/** With fewer even the whole range does not reach 95 %. */
export const MIN_VALUES = 6;

/**
 * The median of a sample, with an interval for the median behind it, from nothing but the order of the values.
 *
 * Each value lies below the true median with probability 1/2, so the number that do is binomial, and the k-th smallest
 * and k-th largest values enclose it with probability 1 - 2 P(Bin(n, 1/2) < k). No distribution is assumed: ratios of
 * two times are skewed, and now and then one is far off.
 *
 * Source: W. J. Conover, "Practical Nonparametric Statistics", 3rd edition (1999), section 3.2. In R:
 * `sort(x)[qbinom(0.025, n, 0.5)]` and the same from the other end.
 *
 * @param {readonly number[]} values at least {@link MIN_VALUES} for 95 %
 * @param {number} [level] the least probability with which the interval holds the median
 * @returns {{ median: number, low: number, high: number, level: number }} `level` is the one that the ranks really have
 * @throws {RangeError} for too few values
 * @example medianInterval([3, 1, 2, 5, 4, 6]) // { median: 3.5, low: 1, high: 6, level: 0.96875 }
 */
export function medianInterval(values, level = 0.95) {
  const sorted = [...values].sort((a, b) => a - b);
  const count = sorted.length;
  const { rank, below } = findRank(count, (1 - level) / 2);
  if (rank === 0) throw new RangeError(`values: expected enough for a ${level} interval of the median, got ${count}`);
  return {
    median: (sorted[Math.floor((count - 1) / 2)] + sorted[Math.ceil((count - 1) / 2)]) / 2,
    low: sorted[rank - 1],
    high: sorted[count - rank],
    level: 1 - 2 * below,
  };
}

/** @param {number} count @param {number} tail @returns the largest rank k with `below` = P(Bin(count, 1/2) < k) <= tail */
function findRank(count, tail) {
  // By logarithms, as 2 ** -count is 0 for a computer from 1075 on.
  let logProbability = -count * Math.LN2;
  let rank = 0;
  let below = 0;
  while (below + Math.exp(logProbability) <= tail) {
    below += Math.exp(logProbability);
    rank++;
    logProbability += Math.log((count - rank + 1) / rank);
  }
  return { rank, below };
}
