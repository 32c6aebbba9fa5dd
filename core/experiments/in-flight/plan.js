/**
 * What a run with messages in flight will do, fixed before it starts; it fits into a link.
 */
import { MIN_BLOCKS } from '../../experiment/compare.js';
import { integer, integers, checkSampleCount, SEED, TRANSPORTS } from '../../experiment/fields.js';
import { labelOf } from '../../net/echo/labels.js';

/** @import { PlanOf } from '../../experiment/fields.js' */

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
/** So that small depths have samples enough. */
const MIN_MESSAGES = 16;

/**
 * @typedef {PlanOf<typeof FIELDS>} DepthPlan each block holds one trial of every transport at every depth, in random order
 */

/** @param {number} depth */
export const messagesAt = (depth) => Math.max(MIN_MESSAGES, CYCLES * depth);

/**
 * @param {Pick<DepthPlan, 'transports' | 'depths' | 'blocks'>} plan
 * @returns {number} of a run without failures
 */
export function sampleCountOf({ transports, depths, blocks }) {
  return blocks * transports.length * depths.reduce((sum, depth) => sum + messagesAt(depth), 0);
}

/**
 * @param {DepthPlan} plan
 * @throws {InvalidInputError} what, expected, got
 */
export function checkDepthPlan(plan) {
  checkSampleCount(sampleCountOf(plan), 'blocks times transports times messages at each depth');
}

/**
 * @param {DepthPlan} plan
 * @returns {string} a sentence
 */
export function describeDepthPlan(plan) {
  const { transports, depths, blocks } = plan;
  return `${blocks} blocks; in each, ${transports.map(labelOf).join(', ')} with ${depths.join(', ')} in flight, in random order: ${sampleCountOf(plan)} messages.`;
}
