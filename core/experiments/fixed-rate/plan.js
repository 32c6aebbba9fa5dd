/** Defines the plan of a run at a fixed rate: its parameters, its number of samples, and its description. */
import { MIN_BLOCKS, warnOfFewBlocks } from '../../experiment/answer/compare.js';
import { formatCount, listOf } from '../../base/format.js';
import { integer, checkSampleCount, SEED, TRANSPORTS } from '../../experiment/plan/fields.js';
import { labelOf } from '../../experiment/answer/labels.js';
import { blocksField } from '../../experiment/plan/blocks.js';

/**
 * @import { PlanOf } from '../../experiment/plan/fields.js'
 * @typedef {PlanOf<typeof FIELDS>} FixedRatePlan each block holds two trials of every transport, in random order
 */

export const FIELDS = Object.freeze({
  transports: TRANSPORTS,
  // Message i is due i / ratePerSecond after the first.
  ratePerSecond: integer({ parameter: 'rate', label: 'Messages per second', min: 1, max: 1000, default: 50 }),
  messages: integer({ parameter: 'messages', label: 'Messages per trial', min: 2, max: 10_000, default: 100 }),
  blocks: blocksField({
    help: `number of blocks; a verdict needs ${MIN_BLOCKS}`,
    min: 3,
    max: 50,
  }),
  seed: SEED,
});

/**
 * Counts the samples of a run without failures.
 * @param {{ transports: readonly string[], messages: number, blocks: number }} plan
 */
export const sampleCountOf = ({ transports, messages, blocks }) => blocks * transports.length * 2 * messages;

/** @param {FixedRatePlan} plan @throws {InvalidInputError} if it makes too many samples */
export const checkPlan = (plan) => checkSampleCount(sampleCountOf(plan), ['blocks', 'transports', 'messages', '2']);

/** Describes what a plan sends, and how often. @param {FixedRatePlan} plan @returns {string} sentences */
export function describePlan({ transports, ratePerSecond, messages, blocks }) {
  const seconds = Math.round((blocks * transports.length * messages) / ratePerSecond);
  return `${listOf(transports.map(labelOf))}: ${formatCount(messages, 'message')} at ${ratePerSecond.toLocaleString('en')} per second, and ${messages.toLocaleString('en')} back-to-back (each after the previous answer). ${blocks} blocks in random order; at the fixed rate they take ${seconds} s.${warnOfFewBlocks(blocks)}`;
}
