/** Reproducible randomness: the same seed gives the same order in every browser and in Node.js. */

/** Seeds are whole numbers from 0 to this. */
export const MAX_SEED = 0xffffffff;

/** @returns {number} a random seed */
export const createSeed = () => Math.floor(Math.random() * (MAX_SEED + 1));

/** @param {number} length @returns {string} random letters and digits */
export const createId = (length) => Array.from({ length }, () => Math.floor(36 * Math.random()).toString(36)).join('');

/**
 * Mulberry32, by Tommy Ettinger: https://gist.github.com/tommyettinger/46a874533244883189143505d203312c
 * @param {number} seed from 0 to {@link MAX_SEED}
 * @returns {() => number} each call returns the next number, from 0 up to but not including 1
 */
export function createRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The golden ratio of 2^32: seeds that are multiples of it apart are far from each other. */
const SEED_STEP = 0x9e37_79b9;

/**
 * @param {number} seed @param {number} index @returns {() => number} the random numbers of one of many that have the same seed, as
 *   the blocks of a run; the first has those of the seed itself
 */
export const createRandomOf = (seed, index) => createRandom((seed + index * SEED_STEP) % (MAX_SEED + 1));

/**
 * Repeats a list in blocks, each in its own random order.
 * @template {object} T @param {readonly T[]} each @param {{ blocks: number, seed: number }} plan
 */
export function inBlocks(each, { blocks, seed }) {
  const random = createRandom(seed);
  return Array.from({ length: blocks }, (_, block) => shuffle(each, random).map((one) => ({ ...one, block }))).flat();
}

/**
 * Returns a new list in random order (Fisher, Yates).
 * @template T @param {readonly T[]} list @param {() => number} random
 */
export function shuffle(list, random) {
  const shuffled = [...list];
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [shuffled[last], shuffled[other]] = [shuffled[other], shuffled[last]];
  }
  return shuffled;
}
