/** Chance of one sequence: the same seed gives the same sequence. */
import { createRandom } from '../../../core/base/random.js';

/** @typedef {ReturnType<typeof createChance>} Chance */

/** @param {number} seed */
export function createChance(seed) {
  const random = createRandom(seed);
  /** @param {number} count @returns {number} from 0 to count - 1 */
  const below = (count) => Math.floor(random() * count);
  return {
    below,
    /** @param {number} least @param {number} most */
    between: (least, most) => least + below(most - least + 1),
    /** @param {number} share of all cases in which it is so */
    is: (share) => random() < share,
    /** @template T @param {readonly T[]} list @returns {T} */
    pick: (list) => list[below(list.length)],
    /** @param {number} length @returns {Buffer} */
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
  };
}

/** @template T @param {number} count @param {() => T} make @returns {T[]} */
export const times = (count, make) => Array.from({ length: count }, make);
