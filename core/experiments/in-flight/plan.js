/**
 * What a run with messages in flight will do, fixed before it starts; it fits into a link.
 */
import { quote } from '../../experiment/plan-link.js';
import { MAX_SEED } from '../../base/random.js';
import { labelOf } from '../../net/echo/labels.js';
import {
  checkSampleCount,
  formatNumbers,
  isAboutPlan,
  parseAnyTransports,
  parseNumbers,
} from '../../experiment/plan-link.js';

export const USUAL_DEPTHS = Object.freeze([1, 2, 4, 8, 16, 32]);

/** More than a few hundred open requests are the browser's own limits, not the way's. */
export const MAX_DEPTH = 256;
export const MAX_DEPTH_COUNT = 12;

/** The numbers of a plan: as what they stand in a link, and what they may be. */
export const NUMBERS = Object.freeze({
  // Of fewer there is no interval.
  blocks: { parameter: 'blocks', least: 2, most: 50, usual: 3 },
  seed: { parameter: 'seed', least: 0, most: MAX_SEED },
});

/** Of each trial, as many messages as are in flight so many times over, after as many that open the connections. */
const CYCLES = 4;
/** So that little depths have samples enough. */
const LEAST_MESSAGES = 16;

/**
 * @typedef {object} DepthPlan
 * @property {readonly string[]} transports
 * @property {readonly number[]} depths rising, 1 among them
 * @property {number} blocks each holds one trial of every transport at every depth, in random order
 * @property {number} seed
 */

/** @param {number} depth */
export const messagesAt = (depth) => Math.max(LEAST_MESSAGES, CYCLES * depth);

/**
 * @param {Pick<DepthPlan, 'transports' | 'depths' | 'blocks'>} plan
 * @returns {number} of a run without failures
 */
export function sampleCountOf({ transports, depths, blocks }) {
  return blocks * transports.length * depths.reduce((sum, depth) => sum + messagesAt(depth), 0);
}

/**
 * @param {URLSearchParams} query
 * @param {{ seed: number }} options what it is where the query has none
 * @returns {DepthPlan | undefined} absent where the query is about no plan
 * @throws {RangeError} what, expected, got
 */
export function parseDepthPlan(query, { seed }) {
  if (!isAboutPlan(query, NUMBERS, 'depths')) return undefined;
  const plan = {
    transports: parseAnyTransports(query.get('transports')),
    depths: parseDepths(query.get('depths')),
    ...parseNumbers(query, NUMBERS, { seed }),
  };
  checkSampleCount(sampleCountOf(plan), 'blocks times transports times messages at each depth');
  return plan;
}

/**
 * @param {string | null} text numbers with commas
 * @returns {readonly number[]} rising
 * @throws {RangeError} what, expected, got
 */
function parseDepths(text) {
  if (text === null) return USUAL_DEPTHS;
  const depths = text
    .split(',')
    .map((part) => (/^\d{1,3}$/.test(part.trim()) ? Number(part) : NaN))
    .sort((a, b) => a - b);
  if (areDepths(depths)) return depths;
  throw new RangeError(
    `depths: expected 1, which all others are set against, and up to ${MAX_DEPTH_COUNT - 1} others from 2 to ${MAX_DEPTH}, each once, separated by commas, got ${quote(text)}`,
  );
}

/**
 * @param {readonly number[]} depths
 * @returns {boolean} may a plan have these: 1, and others above it in rising order?
 */
export function areDepths(depths) {
  if (depths[0] !== 1 || depths.length > MAX_DEPTH_COUNT) return false;
  return depths.every((depth, i) => depth <= MAX_DEPTH && (i === 0 || depth > depths[i - 1]));
}

/**
 * @param {DepthPlan} plan
 * @returns {string} a link's query
 */
export function formatDepthPlan(plan) {
  const { transports, depths } = plan;
  return [`transports=${transports.join(',')}`, `depths=${depths.join(',')}`, ...formatNumbers(plan, NUMBERS)].join(
    '&',
  );
}

/**
 * @param {DepthPlan} plan
 * @returns {string} a sentence
 */
export function describeDepthPlan(plan) {
  const { transports, depths, blocks } = plan;
  return `${blocks} blocks; in each, ${transports.map(labelOf).join(', ')} with ${depths.join(', ')} in flight, in random order: ${sampleCountOf(plan)} messages.`;
}
