/**
 * What a bench compares: ours with a baseline, by one figure.
 *
 * @typedef {{ atMost: number } | { atLeast: number }} Limit of the ratio ours / baseline
 *
 * @typedef {object} Comparison
 * @property {string} group what --only calls it
 * @property {string} name
 * @property {string} unit of the figure
 * @property {Limit} [limit] absent where the ratio is only reported
 * @property {(options: { pairCount: number, onPair: () => void }) => Promise<Block[]>} measure
 */
import { echoCpuComparisons } from './echo-cpu.js';
import { loopComparisons } from './loop.js';

/** @import { Block } from './pairs.js' */

/** @type {readonly Comparison[]} */
export const comparisons = [...loopComparisons, ...echoCpuComparisons];
