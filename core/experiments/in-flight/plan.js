/** The plan of a run with messages in flight: its parameters, what they come to, and its sentence. */
import { sumOf } from '../../base/statistics.js';
import { MIN_BLOCKS, warnOfFewBlocks } from '../../experiment/compare.js';
import { integer, integers, checkSampleCount, SEED, TRANSPORTS } from '../../experiment/fields.js';
import { labelOf } from '../../net/labels.js';

/**
 * @import { PlanOf } from '../../experiment/fields.js'
 * @typedef {PlanOf<typeof FIELDS>} DepthPlan each block holds one trial of every transport at every depth, in random order
 */

export const FIELDS = Object.freeze({
  transports: TRANSPORTS,
  depths: integers({
    parameter: 'depths',
    label: 'Messages in flight',
    min: 1,
    // More than a few hundred open requests are the browser's own limits, not the network's.
    max: 256,
    maxCount: 12,
    default: [1, 2, 4, 8, 16, 32],
    // All others are compared with it.
    rule: { isMet: ([first]) => first === 1, expected: '1 among them', schema: { prefixItems: [{ const: 1 }] } },
  }),
  // Of one there is no interval; by fewer than the default there is no verdict.
  blocks: integer({ parameter: 'blocks', label: 'Blocks', min: 2, max: 50, default: MIN_BLOCKS }),
  seed: SEED,
});

/** Of each trial, as many messages as are in flight so many times over, after as many that open the connections. */
const CYCLES = 4;
const MIN_MESSAGES = 16;

/** Messages of a trial that count. @param {number} depth */
export const messagesAt = (depth) => Math.max(MIN_MESSAGES, CYCLES * depth);

/** Of a run without failures. @param {Pick<DepthPlan, 'transports' | 'depths' | 'blocks'>} plan */
export const sampleCountOf = ({ transports, depths, blocks }) => blocks * transports.length * sumOf(depths, messagesAt);

/** @param {DepthPlan} plan @throws {InvalidInputError} where it makes too many samples */
export const checkPlan = (plan) =>
  checkSampleCount(sampleCountOf(plan), 'blocks times transports times messages at each depth');

/** @param {DepthPlan} plan @returns {string} a sentence */
export function describePlan(plan) {
  const { transports, depths, blocks } = plan;
  return `${blocks} blocks, each with one trial per transport (${transports.map(labelOf).join(', ')}) and number of messages in flight (${depths.join(', ')}), in random order: ${sampleCountOf(plan)} messages in total.${warnOfFewBlocks(blocks)}`;
}
