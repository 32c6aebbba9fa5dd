/**
 * What a run at a fixed rate will do, fixed before it starts; it fits into a link.
 *
 * A trial is so many messages, not so many seconds: then it holds as many samples at every rate, a percentile has what it
 * needs or has not whatever the rate is, and the back-to-back trial beside it can be made of as many.
 */
import { MIN_BLOCKS } from '../../experiment/compare.js';
import { integer, checkSampleCount, SEED, TRANSPORTS } from '../../experiment/fields.js';
import { labelOf } from '../../net/echo/labels.js';

/** @import { PlanOf } from '../../experiment/fields.js' */

export const FIELDS = Object.freeze({
  transports: TRANSPORTS,
  // Message i is due i / ratePerSecond after the first.
  ratePerSecond: integer({ parameter: 'rate', label: 'Messages per second', min: 1, max: 1000, default: 50 }),
  messages: integer({ parameter: 'messages', label: 'Messages per trial', min: 2, max: 10_000, default: 100 }),
  // By fewer than the default there is no verdict.
  blocks: integer({ parameter: 'blocks', label: 'Blocks', min: 3, max: 50, default: MIN_BLOCKS }),
  seed: SEED,
});

/**
 * @typedef {PlanOf<typeof FIELDS>} FixedRatePlan each block holds two trials of every transport, by the plan and
 *   back-to-back, in random order
 */

/**
 * @param {Pick<FixedRatePlan, 'transports' | 'messages' | 'blocks'>} plan
 * @returns {number} of a run without failures
 */
export function sampleCountOf({ transports, messages, blocks }) {
  return blocks * transports.length * 2 * messages;
}

/**
 * @param {FixedRatePlan} plan
 * @throws {InvalidInputError} what, expected, got
 */
export function checkFixedRatePlan(plan) {
  checkSampleCount(sampleCountOf(plan), 'blocks times transports times messages, twice');
}

/**
 * @param {FixedRatePlan} plan
 * @returns {string} a sentence
 */
export function describeFixedRatePlan({ transports, ratePerSecond, messages, blocks }) {
  const seconds = Math.round((blocks * transports.length * messages) / ratePerSecond);
  return `${blocks} blocks; in each, by each of ${transports.map(labelOf).join(', ')}, ${messages} messages at ${ratePerSecond}/s and as many back-to-back, in random order. Those at the fixed rate take ${seconds} s.`;
}
