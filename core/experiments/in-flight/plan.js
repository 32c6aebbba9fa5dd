/** Defines the plan of a run with messages in flight: its parameters, its number of samples, and its description. */
import { sumOf } from '../../base/statistics.js';
import { MIN_BLOCKS, warnOfFewBlocks } from '../../experiment/answer/compare.js';
import { formatCount, listOf } from '../../base/format.js';
import { integers, checkSampleCount, SEED, TRANSPORTS } from '../../experiment/plan/fields.js';
import { labelOf } from '../../experiment/answer/labels.js';
import { blocksField } from '../../experiment/plan/blocks.js';

/**
 * @import { PlanOf } from '../../experiment/plan/fields.js'
 * @typedef {PlanOf<typeof FIELDS>} DepthPlan each block holds one trial of every transport at every depth, in random
 *   order
 */

export const FIELDS = Object.freeze({
  transports: TRANSPORTS,
  depths: integers({
    parameter: 'depths',
    label: 'Messages in flight',
    min: 1,
    // A few hundred open requests reach the browser's own limits, not the network's.
    max: 256,
    maxCount: 12,
    default: [1, 2, 4, 8, 16, 32],
    // All other numbers are compared with it.
    rule: { isMet: ([first]) => first === 1, expected: '1 among them', schema: { prefixItems: [{ const: 1 }] } },
  }),
  // A single block has no interval; fewer than the default have no verdict.
  blocks: blocksField({
    help: `number of blocks; a verdict needs ${MIN_BLOCKS}`,
    min: 2,
    max: 50,
  }),
  seed: SEED,
});

/** The messages of each trial, as a multiple of those in flight, after a warm-up that opens the connections. */
const CYCLES = 4;
const MIN_MESSAGES = 16;

/** Messages of a trial that count. @param {number} depth */
export const messagesAt = (depth) => Math.max(MIN_MESSAGES, CYCLES * depth);

/** Counts the samples of a run without failures. @param {{ transports: readonly string[], depths: readonly number[], blocks: number }} plan */
export const sampleCountOf = ({ transports, depths, blocks }) => blocks * transports.length * sumOf(depths, messagesAt);

/** @param {DepthPlan} plan @throws {InvalidInputError} if it makes too many samples */
export const checkPlan = (plan) =>
  checkSampleCount(sampleCountOf(plan), ['blocks', 'transports', 'messages at each depth']);

/** Describes what a plan sends, and how many messages are in flight. @param {DepthPlan} plan @returns {string} sentences */
export function describePlan(plan) {
  const { transports, depths, blocks } = plan;
  const each = depths.length === 1 && depths[0] === 1 ? '1 message' : `${listOf(depths.map(String))} messages`;
  return `${listOf(transports.map(labelOf))} with ${each} in flight. ${blocks} blocks in random order, ${formatCount(sampleCountOf(plan), 'message')}.${warnOfFewBlocks(blocks)}`;
}
