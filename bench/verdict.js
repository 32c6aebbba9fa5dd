/**
 * What the pairs of a comparison say of its limit.
 */
import { quantile } from '../core/base/statistics/quantile.js';
import { medianInterval, MIN_VALUES } from './median-interval.js';

/**
 * @import { Limit } from './comparison.js'
 * @import { Block } from './pairs.js'
 */

/**
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
  const ratios = blocks.map(ratioOf);
  if (ratios.length < MIN_VALUES) return { medianRatio: medianOf(ratios), word: 'too few pairs' };
  const { median, ...interval } = medianInterval(ratios);
  return { medianRatio: median, interval, word: wordOf(interval.low, interval.high, limit) };
}

/** @param {Block} block */
function ratioOf(block) {
  return medianOf(block.map(({ ours, baseline }) => ours / baseline));
}

/** @param {readonly number[]} values at least one */
export function medianOf(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return /** @type {number} */ (quantile(sorted, 0.5));
}

/**
 * @param {number} low
 * @param {number} high
 * @param {Limit} [limit]
 * @returns {Word}
 */
function wordOf(low, high, limit) {
  if (!limit) return 'reported';
  const isBeyond = (/** @type {number} */ ratio) => ('atMost' in limit ? ratio > limit.atMost : ratio < limit.atLeast);
  if (isBeyond(low) && isBeyond(high)) return 'falls short';
  return isBeyond(low) || isBeyond(high) ? 'cannot tell' : 'within';
}
