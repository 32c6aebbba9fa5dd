/**
 * What the pairs of a comparison say of its limit.
 */
import { quantile } from '../core/statistics/quantile.js';
import { medianInterval } from './median-interval.js';

/**
 * @typedef {'within' | 'cannot tell' | 'falls short' | 'reported'} Word `falls short` only where the whole interval is
 *   beyond the limit, `within` only where none of it is
 *
 * @typedef {object} Verdict
 * @property {number} medianRatio of ours / baseline: the median of the blocks' medians
 * @property {number} lowRatio
 * @property {number} highRatio
 * @property {number} level of that interval
 * @property {Word} word
 */

/**
 * @param {readonly import('./pairs.js').Block[]} blocks at least 6
 * @param {import('./comparison.js').Limit} [limit]
 * @returns {Verdict}
 */
export function judge(blocks, limit) {
  const { median, low, high, level } = medianInterval(blocks.map(ratioOf));
  return { medianRatio: median, lowRatio: low, highRatio: high, level, word: wordOf(low, high, limit) };
}

/** @param {import('./pairs.js').Block} block */
function ratioOf(block) {
  const ratios = block.map(({ ours, baseline }) => ours / baseline).sort((a, b) => a - b);
  return /** @type {number} */ (quantile(ratios, 0.5));
}

/**
 * @param {number} low
 * @param {number} high
 * @param {import('./comparison.js').Limit} [limit]
 * @returns {Word}
 */
function wordOf(low, high, limit) {
  if (!limit) return 'reported';
  const isBeyond = (/** @type {number} */ ratio) => ('atMost' in limit ? ratio > limit.atMost : ratio < limit.atLeast);
  if (isBeyond(low) && isBeyond(high)) return 'falls short';
  return isBeyond(low) || isBeyond(high) ? 'cannot tell' : 'within';
}
