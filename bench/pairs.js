/**
 * Two ways of doing the same, measured in turn.
 *
 * @typedef {{ ours: number, baseline: number }} Pair one figure of each, taken one right after the other
 * @typedef {Pair[]} Block pairs that share what differs from one start of the same program to the next; blocks are
 *   independent of each other, so an interval is made over blocks
 *
 * @typedef {object} Comparison ours with a baseline, by one figure
 * @property {string} group what --only calls it
 * @property {string} name
 * @property {string} unit of the figure
 * @property {Limit} [limit] absent where the ratio is only reported
 * @property {(options: { pairCount: number, onPair: () => void }) => Promise<Block[]>} measure
 */

/** @import { Limit } from './verdict.js' */

/**
 * The order within a pair alternates, so that neither always comes after the other; drift and noise then hit both.
 *
 * @param {object} options
 * @param {number} options.pairCount
 * @param {() => Promise<number>} options.ours
 * @param {() => Promise<number>} options.baseline
 * @param {() => void} [options.onPair] called after each
 * @returns {Promise<Pair[]>}
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
