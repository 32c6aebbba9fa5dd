/** Measures two implementations in turn, and compares the pairs of figures with a limit. */
import { median } from '../core/base/statistics.js';

/** The minimum for an interval: with fewer values even the whole range does not reach 95%. */
const MIN_VALUES = 6;

/**
 * @typedef {{ ours: number, baseline: number }} Pair one figure of each, taken one right after the other
 * @typedef {Pair[]} Block pairs that share what differs from one start of the same program to the next; blocks are
 *   independent of each other, so an interval is made over blocks
 * @typedef {{ pairCount: number, onPair: () => void }} Options
 */

/**
 * @template [O=Options] what measuring needs
 * @typedef {object} Comparison ours with a baseline, by one figure
 * @property {string} group what --only calls it
 * @property {string} name
 * @property {string} unit of the figure
 * @property {Limit} [limit] absent where the ratio is only reported
 * @property {(options: O) => Promise<Block[]>} measure
 */

/**
 * @typedef {{ atMost: number } | { atLeast: number }} Limit of the ratio ours / baseline
 *
 * @typedef {'within' | 'cannot tell' | 'falls short' | 'reported' | 'too few pairs'} Word `falls short` only where the
 *   whole interval is beyond the limit, `within` only where none of it is
 *
 * @typedef {{ medianRatio: number, interval?: { low: number, high: number, level: number }, word: Word }} Verdict the median of
 *   the blocks' medians of ours / baseline, and its interval; absent where there are too few blocks
 */

/**
 * Measures pairs. The order within a pair alternates, so that drift and noise affect both.
 * @param {{ pairCount: number, ours: () => Promise<number>, baseline: () => Promise<number>, onPair?: () => void }}
 *   options @returns {Promise<Pair[]>}
 */
export async function measurePairs({ pairCount, ours, baseline, onPair }) {
  /** @type {Pair[]} */
  const pairs = [];
  while (pairs.length < pairCount) {
    const pair = { ours: NaN, baseline: NaN };
    const isOursFirst = pairs.length % 2 === 0;
    if (isOursFirst) pair.ours = await ours();
    pair.baseline = await baseline();
    if (!isOursFirst) pair.ours = await ours();
    pairs.push(pair);
    onPair?.();
  }
  return pairs;
}

/** @param {readonly Block[]} blocks at least one @param {Limit} [limit] @returns {Verdict} */
export function judge(blocks, limit) {
  const ratios = blocks.map((block) => medianOf(block.map(({ ours, baseline }) => ours / baseline)));
  if (ratios.length < MIN_VALUES) return { medianRatio: medianOf(ratios), word: 'too few pairs' };
  const { median: medianRatio, ...interval } = medianInterval(ratios);
  return { medianRatio, interval, word: limit ? wordOf(interval, limit) : 'reported' };
}

/** @param {readonly number[]} values at least one, in any order */
export const medianOf = (values) => Number(median(values));

/** @param {{ low: number, high: number }} interval @param {Limit} limit @returns {Word} */
function wordOf({ low, high }, limit) {
  const isBeyond = (/** @type {number} */ ratio) => ('atMost' in limit ? ratio > limit.atMost : ratio < limit.atLeast);
  if (isBeyond(low) && isBeyond(high)) return 'falls short';
  return isBeyond(low) || isBeyond(high) ? 'cannot tell' : 'within';
}

/** @param {Verdict['interval']} interval */
export function formatInterval(interval) {
  if (!interval) return '-';
  const { low, high, level } = interval;
  return `${low.toFixed(3)} to ${high.toFixed(3)} (${(level * 100).toFixed(1)}%)`;
}

/**
 * Returns the median of a sample, with a confidence interval of the true median, only from the order of the values.
 *
 * Each value lies below the true median with probability 1/2, so the number that do is binomial, and the k-th smallest
 * and k-th largest values enclose it with probability 1 - 2 P(Bin(n, 1/2) < k). No distribution is assumed: ratios of
 * two times are skewed, and now and then one is far off.
 *
 * Source: W. J. Conover, "Practical Nonparametric Statistics", 3rd edition (1999), section 3.2. In R:
 * `sort(x)[qbinom(0.025, n, 0.5)]` and the same from the other end.
 * @param {readonly number[]} values at least {@link MIN_VALUES} for 95%
 * @param {number} [level] the minimum probability with which the interval contains the median
 * @returns {{ median: number, low: number, high: number, level: number }} `level` is the one that the ranks really have
 * @throws {RangeError} for too few values
 * @example medianInterval([3, 1, 2, 5, 4, 6]) // { median: 3.5, low: 1, high: 6, level: 0.96875 }
 */
export function medianInterval(values, level = 0.95) {
  const sorted = values.toSorted((a, b) => a - b);
  const count = sorted.length;
  const { rank, below } = findRank(count, (1 - level) / 2);
  if (rank === 0) throw new RangeError(`values: expected enough for a ${level} interval of the median, got ${count}`);
  return { median: medianOf(sorted), low: sorted[rank - 1], high: sorted[count - rank], level: 1 - 2 * below };
}

/** @param {number} count @param {number} tail @returns the largest rank k with `below` = P(Bin(count, 1/2) < k) <= tail */
function findRank(count, tail) {
  // Logarithms are needed, as 2 ** -count is 0 in floating point from 1075 on.
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
