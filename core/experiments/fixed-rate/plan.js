/**
 * What a run at a fixed rate will do, fixed before it starts; it fits into a link.
 *
 * A trial is so many messages, not so many seconds: then it holds as many samples at every rate, a percentile has what it
 * needs or has not whatever the rate is, and the back-to-back trial beside it can be made of as many.
 */
import { MAX_SEED } from '../../base/random.js';
import { labelOf } from '../../net/echo/labels.js';
import {
  checkSampleCount,
  formatNumbers,
  isAboutPlan,
  parseAnyTransports,
  parseNumbers,
} from '../../experiment/plan-link.js';

/** The numbers of a plan: as what they stand in a link, and what they may be. */
export const NUMBERS = Object.freeze({
  ratePerSecond: { parameter: 'rate', least: 1, most: 1000, usual: 50 },
  messages: { parameter: 'messages', least: 2, most: 10_000, usual: 100 },
  blocks: { parameter: 'blocks', least: 3, most: 50, usual: 3 },
  seed: { parameter: 'seed', least: 0, most: MAX_SEED },
});

/**
 * @typedef {object} FixedRatePlan
 * @property {readonly string[]} transports
 * @property {number} ratePerSecond message i is due i / ratePerSecond after the first
 * @property {number} messages of each trial
 * @property {number} blocks each holds two trials of every transport, by the plan and back-to-back, in random order
 * @property {number} seed
 */

/**
 * @param {Pick<FixedRatePlan, 'transports' | 'messages' | 'blocks'>} plan
 * @returns {number} of a run without failures
 */
export function sampleCountOf({ transports, messages, blocks }) {
  return blocks * transports.length * 2 * messages;
}

/**
 * @param {URLSearchParams} query
 * @param {{ seed: number }} options what it is where the query has none
 * @returns {FixedRatePlan | undefined} absent where the query is about no plan
 * @throws {RangeError} what, expected, got
 */
export function parseFixedRatePlan(query, { seed }) {
  if (!isAboutPlan(query, NUMBERS)) return undefined;
  const plan = {
    transports: parseAnyTransports(query.get('transports')),
    ...parseNumbers(query, NUMBERS, { seed }),
  };
  checkSampleCount(sampleCountOf(plan), 'blocks times transports times messages, twice');
  return plan;
}

/**
 * @param {FixedRatePlan} plan
 * @returns {string} a link's query
 */
export function formatFixedRatePlan(plan) {
  return [`transports=${plan.transports.join(',')}`, ...formatNumbers(plan, NUMBERS)].join('&');
}

/**
 * @param {FixedRatePlan} plan
 * @returns {string} a sentence
 */
export function describeFixedRatePlan({ transports, ratePerSecond, messages, blocks }) {
  const seconds = Math.round((blocks * transports.length * messages) / ratePerSecond);
  return `${blocks} blocks; in each, by each of ${transports.map(labelOf).join(', ')}, ${messages} messages at ${ratePerSecond}/s and as many back-to-back, in random order. Those by the plan take ${seconds} s.`;
}
