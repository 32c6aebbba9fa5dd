/**
 * Two ways of doing the same, measured in turn.
 *
 * @typedef {{ ours: number, baseline: number }} Pair one figure of each, taken one right after the other
 * @typedef {Pair[]} Block pairs that share what differs from one start of the same program to the next; blocks are
 *   independent of each other, so an interval is made over blocks
 */

const ORDERS = /** @type {const} */ ([
  ['ours', 'baseline'],
  ['baseline', 'ours'],
]);

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
  const measures = { ours, baseline };
  /** @type {Pair[]} */
  const pairs = [];
  for (let index = 0; index < pairCount; index++) {
    const pair = { ours: NaN, baseline: NaN };
    for (const side of ORDERS[index % ORDERS.length]) pair[side] = await measures[side]();
    pairs.push(pair);
    onPair?.();
  }
  return pairs;
}
