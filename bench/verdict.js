/**
 * What the pairs of a comparison say of its limit.
 */
import { quantile } from '../core/base/statistics/values.js';
import { medianInterval, MIN_VALUES } from './median-interval.js';

/** @import { Block } from './pairs.js' */

/**
 * @typedef {{ atMost: number } | { atLeast: number }} Limit of the ratio ours / baseline
 *
 * @typedef {'within' | 'cannot tell' | 'falls short' | 'reported' | 'too few pairs'} Word `falls short` only where the
 *   whole interval is beyond the limit, `within` only where none of it is
 *
 * @typedef {object} Verdict
 * @property {number} medianRatio of ours / baseline: the median of the blocks' medians
 * @property {{ low: number, high: number, level: number }} [interval] of it; absent where there are too few blocks
 * @property {Word} word
 */

/**
 * @param {readonly Block[]} blocks at least one
 * @param {Limit} [limit]
 * @returns {Verdict}
 */
export function judge(blocks, limit) {
  const ratios = blocks.map((block) => medianOf(block.map(({ ours, baseline }) => ours / baseline)));
  if (ratios.length < MIN_VALUES) return { medianRatio: medianOf(ratios), word: 'too few pairs' };
  const { median, ...interval } = medianInterval(ratios);
  return { medianRatio: median, interval, word: limit ? wordOf(interval, limit) : 'reported' };
}

/** @param {readonly number[]} values at least one, in any order */
export function medianOf(values) {
  return Number(
    quantile(
      values.toSorted((a, b) => a - b),
      0.5,
    ),
  );
}

/** @param {{ low: number, high: number }} interval @param {Limit} limit @returns {Word} */
function wordOf({ low, high }, limit) {
  const isBeyond = (/** @type {number} */ ratio) => ('atMost' in limit ? ratio > limit.atMost : ratio < limit.atLeast);
  if (isBeyond(low) && isBeyond(high)) return 'falls short';
  return isBeyond(low) || isBeyond(high) ? 'cannot tell' : 'within';
}
