/**
 * The plans of a run over sizes: a sweep in interleaved blocks, which gives intervals; and that of the published
 * figures.
 */
import { InvalidInputError } from '../../base/foreign-text.js';
import { sumOf } from '../../base/statistics.js';
import { integer, integers, names, SEED } from '../../experiment/plan/fields.js';
import { MIN_BLOCKS } from '../../experiment/answer/compare.js';
import { blocksField } from '../../experiment/plan/blocks.js';
import { defaultTransportsOn } from '../../net/echo/index.js';
import { TRANSFER_LABELS } from '../../experiment/answer/labels.js';
import { newNameOf, newTransfers, transfers } from '../../net/transfer/index.js';
import { capitalize, listOf } from '../../base/format.js';

/**
 * @import { PlanOf } from '../../experiment/plan/fields.js'
 * @import { Direction } from '../../net/transfer/index.js'
 * @typedef {Omit<PlanOf<typeof PUBLISHED_FIELDS>, 'directions' | 'budget'> & { directions: readonly Direction[],
 *   budget?: number }} Chosen
 * @typedef {Chosen & { preset?: undefined, connections?: readonly string[], repeats: number, seed: number }} Sweep in
 *   each of `repeats` blocks every transport sends each size in each direction once, in random order; `connections`:
 *   default kept
 * @typedef {Chosen & { preset: typeof PUBLISHED }} PublishedPlan
 * @typedef {Sweep | PublishedPlan} PayloadPlan
 */

/** The sizes that a form offers. */
export const OFFERED_SIZES = Object.freeze([1, 500, 1000, 10_000, 100_000, 1_000_000, 10_000_000]);
/** The default: the largest would cost a visitor some 1.4 GB, so it has to be chosen. */
export const DEFAULT_SIZES = Object.freeze(OFFERED_SIZES.slice(0, -1));

const MIB = 1024 * 1024;
/** The server's limit on the paths of this experiment. */
export const MAX_SIZE = 16 * MIB;

export const DIRECTIONS = Object.freeze(/** @type {const} */ (['up', 'down', 'echo']));

/** @type {Readonly<Record<Direction, string>>} */
export const DIRECTION_LABELS = Object.freeze({ up: 'Upload', down: 'Download', echo: 'Echo' });

export const PUBLISHED = 'published';

/**
 * The number of messages of a size in the published figures, in each of two passes.
 * @type {Readonly<Record<number, number>>}
 */
export const PUBLISHED_MESSAGES = Object.freeze({
  1: 100,
  500: 10,
  1000: 10,
  100_000: 10,
  1_000_000: 1,
  10_000_000: 1,
});
export const PUBLISHED_SIZES = Object.freeze(Object.keys(PUBLISHED_MESSAGES).map(Number));
export const PUBLISHED_PASSES = 2;

const TRANSPORTS = names({
  parameter: 'transports',
  label: 'Transports',
  one: 'transport',
  choices: TRANSFER_LABELS,
  isOrdered: true,
  rows: transfers,
  default: defaultTransportsOn('page', transfers),
});

export const PUBLISHED_FIELDS = Object.freeze({
  transports: TRANSPORTS,
  directions: names({
    parameter: 'directions',
    label: 'Directions',
    one: 'direction',
    choices: DIRECTION_LABELS,
    isOrdered: true,
    default: DIRECTIONS,
  }),
  sizes: integers({
    parameter: 'sizes',
    label: 'Sizes',
    unit: 'bytes',
    help: 'message sizes',
    min: 0,
    max: MAX_SIZE,
    maxCount: 12,
    default: PUBLISHED_SIZES,
    rule: {
      isMet: (sizes) => sizes.every((size) => PUBLISHED_SIZES.includes(size)),
      expected: `as published (${PUBLISHED_SIZES.join(', ')})`,
      schema: { items: { enum: PUBLISHED_SIZES } },
    },
  }),
  budget: integer({
    parameter: 'budget',
    label: 'Byte budget',
    unit: 'MB',
    help: 'the largest sizes are left out if all bytes, in both directions together, exceed it',
    min: 1,
    max: 100_000,
    // The whole plan takes 481.
    default: 500,
    isLater: true,
  }),
});

export const FIELDS = Object.freeze({
  transports: TRANSPORTS,
  connections: names({
    parameter: 'connections',
    label: 'Connections',
    help: 'one that is kept, or also a new one for each message',
    one: 'connection',
    choices: { kept: 'Kept', new: 'New per message' },
    isOrdered: true,
    default: ['kept'],
    rule: {
      isMet: (list) => list.includes('kept'),
      expected: 'including kept',
      schema: { contains: { const: 'kept' } },
    },
    isLater: true,
  }),
  directions: PUBLISHED_FIELDS.directions,
  sizes: integers({ ...PUBLISHED_FIELDS.sizes, default: DEFAULT_SIZES, rule: undefined }),
  budget: integer({ ...PUBLISHED_FIELDS.budget, default: 200 }),
  repeats: blocksField({
    parameter: 'repeats',
    help: `number of blocks, each with every size once; ${MIN_BLOCKS} or more`,
    min: MIN_BLOCKS,
    max: 50,
  }),
  seed: integer({ ...SEED, help: 'sets the random order and content; default: another one for each run' }),
});

/** @param {PayloadPlan} plan @throws {InvalidInputError} if not even the smallest size fits */
export function checkBudget(plan) {
  if (splitSizes(plan).sizes.length > 0) return;
  const [size] = plan.sizes;
  const megabytes = Math.ceil(bytesOf(plan, size) / 1e6);
  const of = `for the smallest size, ${formatSize(size)}`;
  throw new InvalidInputError(`expected at least ${megabytes} ${of}, got ${plan.budget}`, { fields: ['budget'] });
}

/** The bytes that cross the network, in both directions together. @param {Direction} direction @param {number} size */
export const movedBytesOf = (direction, size) => (direction === 'echo' ? 2 : 1) * size;

/**
 * Returns the transports over a new connection per message, named by their transport.
 * @param {PayloadPlan} plan @returns {string[]}
 */
export function newTransportsOf(plan) {
  const isAsked = !plan.preset && plan.connections?.includes('new');
  return isAsked ? plan.transports.map(newNameOf).filter((name) => name in newTransfers) : [];
}

/**
 * Counts the messages of a size in each direction, with the warm-ups, over kept and new connections.
 * @param {PayloadPlan} plan @param {number} size
 */
export function messageCountsOf(plan, size) {
  const { transports, preset } = plan;
  if (preset) {
    const each = PUBLISHED_PASSES * PUBLISHED_MESSAGES[size] + Number(size === plan.sizes[0]);
    return { kept: transports.length * each, anew: 0 };
  }
  const { length } = newTransportsOf(plan);
  const warmUpCount = length > 0 ? plan.repeats : 1;
  return { kept: transports.length * (plan.repeats + warmUpCount), anew: length * plan.repeats };
}

/** Returns the bytes of all messages of a size. @param {PayloadPlan} plan @param {number} size */
export function bytesOf(plan, size) {
  const { kept, anew } = messageCountsOf(plan, size);
  return (kept + anew) * sumOf(plan.directions, (direction) => movedBytesOf(direction, size));
}

/**
 * Splits the sizes into those that fit the budget together, and the others.
 * @param {PayloadPlan} plan @returns {{ sizes: number[], leftOut: number[] }} rising
 */
export function splitSizes(plan) {
  const budgetBytes = 1e6 * (plan.budget ?? Infinity);
  let bytes = 0;
  const sizes = plan.sizes.filter((size) => (bytes += bytesOf(plan, size)) <= budgetBytes);
  return { sizes, leftOut: plan.sizes.slice(sizes.length) };
}

/** @template {PayloadPlan} P @param {P} plan @returns {P} with the sizes that are measured */
export const withinBudget = (plan) => ({ ...plan, sizes: splitSizes(plan).sizes });

/**
 * Formats a size such as '100 kB', exactly: two sizes never have the same text.
 * @param {number} bytes a whole number
 */
export function formatSize(bytes) {
  if (bytes > 0 && bytes % MIB === 0) return `${bytes / MIB} MiB`;
  if (bytes >= 1e6) return `${bytes / 1e6} MB`;
  return bytes >= 1000 ? `${bytes / 1000} kB` : `${bytes} B`;
}

/** @param {{ direction: Direction, size: number }} message @returns {string} such as 'download of 1 MB' */
export const nameMessage = ({ direction, size }) =>
  `${DIRECTION_LABELS[direction].toLowerCase()} of ${formatSize(size)}`;

/** The maximum number of names in a sentence; others are counted. */
const MAX_LISTED = 3;

/** @param {PayloadPlan} plan @returns {string[]} a sentence; none if every size fits the budget */
export function describeLeftOut(plan) {
  const { leftOut } = splitSizes(plan);
  if (leftOut.length === 0) return [];
  const subject = leftOut.length === 1 ? 'it' : 'they';
  const names = leftOut.map(formatSize).join(', ');
  return [`${names} left out: ${subject} would exceed the budget of ${plan.budget} MB.`];
}

/** @param {PayloadPlan} plan @returns {string} a sentence, and one for what the budget leaves out */
export const describePayloadPlan = (plan) => [describeMeasured(withinBudget(plan)), ...describeLeftOut(plan)].join(' ');

/** @param {PayloadPlan} plan within its budget */
function describeMeasured(plan) {
  const { transports, directions, sizes } = plan;
  const names = sizes.map(formatSize);
  const span =
    sizes.length > MAX_LISTED ? `${sizes.length} sizes from ${names[0]} to ${names.at(-1)}` : names.join(', ');
  const ways = directions.map((direction) => DIRECTION_LABELS[direction].toLowerCase());
  const by = `${listOf(ways)}, by ${nameAll(transports)}`;
  const anew = newTransportsOf(plan).length > 0 ? ', also over a new connection per message' : '';
  if (!plan.preset) return `${capitalize(span)}: ${by}${anew}. ${plan.repeats} blocks in random order.`;
  const each = sizes.map((size) => `${PUBLISHED_MESSAGES[size]} of ${formatSize(size)}`).join(', ');
  const without = PUBLISHED_SIZES.filter((size) => !sizes.includes(size)).map(formatSize);
  return `As published${without.length > 0 ? `, but without ${without.join(', ')}` : ''}: ${each}, back-to-back, in two passes. ${capitalize(by)}.`;
}

/** @param {readonly string[]} transports */
const nameAll = (transports) =>
  transports.length > MAX_LISTED
    ? `${transports.length} transports`
    : listOf(transports.map((name) => TRANSFER_LABELS[name]));
