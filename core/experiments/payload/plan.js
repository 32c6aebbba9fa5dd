/** The plans of a run over sizes: a sweep in interleaved blocks, which gives intervals; and that of the published figures. */
import { InvalidInputError } from '../../base/foreign-text.js';
import { createRandom, shuffle } from '../../base/random.js';
import { sumOf } from '../../base/statistics/values.js';
import {
  formatFields,
  hasFields,
  integer,
  integers,
  names,
  parseFields,
  quote,
  SEED,
} from '../../experiment/fields.js';
import { TRANSFER_LABELS } from '../../net/labels.js';

/**
 * @import { PlanOf } from '../../experiment/fields.js'
 * @import { Direction } from '../../net/transfer/index.js'
 */

/** In bytes, as all sizes. */
export const DEFAULT_SIZES = Object.freeze([1, 500, 1000, 10_000, 100_000, 1_000_000, 10_000_000]);

const MIB = 1024 * 1024;

/** The server's limit on the paths of this experiment. */
export const MAX_SIZE = 16 * MIB;

/** In the order of tables. */
export const DIRECTIONS = Object.freeze(/** @type {const} */ (['up', 'down', 'echo']));

/** @type {Readonly<Record<Direction, string>>} */
export const DIRECTION_LABELS = Object.freeze({ up: 'Upload', down: 'Download', echo: 'Echo' });

/** A sentence lists up to so many names, and counts more. */
const MAX_LISTED = 3;

export const PUBLISHED = 'published';

/** How many messages of a size the published figures have, in each of two passes. @type {Readonly<Record<number, number>>} */
const PUBLISHED_MESSAGES = Object.freeze({ 1: 100, 500: 10, 1000: 10, 100_000: 10, 1_000_000: 1, 10_000_000: 1 });
export const PUBLISHED_SIZES = Object.freeze(Object.keys(PUBLISHED_MESSAGES).map(Number));
export const PUBLISHED_PASSES = 2;

/** Of the published plan. */
export const PUBLISHED_FIELDS = Object.freeze({
  transports: names({
    parameter: 'transports',
    label: 'Transports',
    choices: TRANSFER_LABELS,
    isOrdered: true,
    default: Object.keys(TRANSFER_LABELS),
  }),
  directions: names({
    parameter: 'directions',
    label: 'Directions',
    choices: DIRECTION_LABELS,
    isOrdered: true,
    default: DIRECTIONS,
  }),
  sizes: integers({
    parameter: 'sizes',
    label: 'Sizes',
    unit: 'bytes',
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

/** Of a sweep. */
export const FIELDS = Object.freeze({
  ...PUBLISHED_FIELDS,
  sizes: integers({ ...PUBLISHED_FIELDS.sizes, default: DEFAULT_SIZES, rule: undefined }),
  budget: integer({ ...PUBLISHED_FIELDS.budget, default: 200 }),
  // By fewer blocks an interval cannot be trusted.
  repeats: integer({ parameter: 'repeats', label: 'Repeats', help: 'blocks, 6 or more', min: 6, max: 50, default: 6 }),
  seed: integer({ ...SEED, help: 'of the order within the blocks, and of the content' }),
});

/**
 * @typedef {Omit<PlanOf<typeof PUBLISHED_FIELDS>, 'directions' | 'budget'> & { directions: readonly Direction[],
 *   budget?: number }} Chosen `sizes`: rising; `budget`: in MB, absent without a limit
 * @typedef {Chosen & { preset?: undefined, repeats: number, seed: number }} Sweep in each of `repeats` blocks every transport
 *   sends each size in each direction once, in random order
 * @typedef {Chosen & { preset: typeof PUBLISHED }} PublishedPlan
 * @typedef {Sweep | PublishedPlan} PayloadPlan
 * @typedef {{ block: number, size: number, direction: Direction, transport: string, warmUps?: string[] }} PlannedTrial one
 *   message; `warmUps`: the transports that first send an uncounted one of this size
 */

/**
 * @param {URLSearchParams} query @param {{ seed: number }} options the default
 * @returns {PayloadPlan | undefined} absent if the query has no plan
 * @throws {InvalidInputError} what, expected, got
 */
export function parsePayloadPlan(query, { seed }) {
  const preset = query.get('preset');
  if (preset !== null && preset !== PUBLISHED) {
    throw new InvalidInputError(`preset: expected ${PUBLISHED}, got ${quote(preset)}`);
  }
  if (preset === null && !hasFields(query, FIELDS)) return undefined;
  const fields = preset ? { preset, ...parseFields(query, PUBLISHED_FIELDS) } : parseFields(query, FIELDS, { seed });
  const plan = /** @type {PayloadPlan} */ (fields);
  checkBudget(plan);
  return plan;
}

/** @param {PayloadPlan} plan @throws {InvalidInputError} if not even the smallest size fits */
export function checkBudget(plan) {
  if (splitSizes(plan).sizes.length > 0) return;
  const [size] = plan.sizes;
  const megabytes = Math.ceil(bytesOf(plan, size) / 1e6);
  const of = `for the smallest size, ${formatSize(size)}`;
  throw new InvalidInputError(`budget: expected at least ${megabytes} ${of}, got ${plan.budget}`);
}

/** The bytes that cross the network, in both directions together. @param {Direction} direction @param {number} size */
export const movedBytesOf = (direction, size) => (direction === 'echo' ? 2 : 1) * size;

/** Of each transport and direction, with the warm-up. @param {PayloadPlan} plan @param {number} size */
export const messageCountOf = (plan, size) =>
  plan.preset ? PUBLISHED_PASSES * PUBLISHED_MESSAGES[size] + Number(size === plan.sizes[0]) : plan.repeats + 1;

/** Of all messages of a size. @param {PayloadPlan} plan @param {number} size */
export function bytesOf(plan, size) {
  const movedBytes = sumOf(plan.directions, (direction) => movedBytesOf(direction, size));
  return messageCountOf(plan, size) * plan.transports.length * movedBytes;
}

/**
 * Which sizes fit the budget together: the smallest, without gaps.
 * @param {PayloadPlan} plan @returns {{ sizes: number[], leftOut: number[] }} both rising
 */
export function splitSizes(plan) {
  const budgetBytes = 1e6 * (plan.budget ?? Infinity);
  let bytes = 0;
  const sizes = plan.sizes.filter((size) => (bytes += bytesOf(plan, size)) <= budgetBytes);
  return { sizes, leftOut: plan.sizes.slice(sizes.length) };
}

/** @template {PayloadPlan} P @param {P} plan @returns {P} with the sizes that are measured */
export const withinBudget = (plan) => ({ ...plan, sizes: splitSizes(plan).sizes });

/** @param {PayloadPlan} plan @returns {string[]} a sentence; none if every size fits the budget */
export function describeLeftOut(plan) {
  const { leftOut } = splitSizes(plan);
  if (leftOut.length === 0) return [];
  const subject = leftOut.length === 1 ? 'it' : 'they';
  const names = leftOut.map(formatSize).join(', ');
  return [`${names} left out: ${subject} would exceed the budget of ${plan.budget} MB.`];
}

/** @param {PayloadPlan} plan @returns {string} a link's query */
export function formatPayloadPlan(plan) {
  return plan.preset ? `preset=${plan.preset}&${formatFields(plan, PUBLISHED_FIELDS)}` : formatFields(plan, FIELDS);
}

/** @param {PayloadPlan} plan @returns {string} a sentence, and one for what the budget leaves out */
export const describePayloadPlan = (plan) => [describeMeasured(withinBudget(plan)), ...describeLeftOut(plan)].join(' ');

/** @param {PayloadPlan} plan within its budget */
function describeMeasured(plan) {
  const { transports, directions, sizes } = plan;
  const names = sizes.map(formatSize);
  const span =
    sizes.length > MAX_LISTED ? `${sizes.length} sizes from ${names[0]} to ${names.at(-1)}` : names.join(', ');
  const by = `${listOf(directions, DIRECTION_LABELS, 'directions')}; ${listOf(transports, TRANSFER_LABELS, 'transports')}`;
  if (!plan.preset) return `${plan.repeats} blocks in random order: ${span}; ${by}.`;
  const each = sizes.map((size) => `${PUBLISHED_MESSAGES[size]} of ${formatSize(size)}`).join(', ');
  const without = PUBLISHED_SIZES.filter((size) => !sizes.includes(size)).map(formatSize);
  return `As published${without.length > 0 ? `, but without ${without.join(', ')}` : ''}: ${each}, back-to-back, in two passes; ${by}.`;
}

/** @param {readonly string[]} names @param {Readonly<Record<string, string>>} labels @param {string} noun */
function listOf(names, labels, noun) {
  return names.length > MAX_LISTED ? `${names.length} ${noun}` : names.map((name) => labels[name]).join(', ');
}

/** A size as people read it, like '100 kB', and exact: no two are called the same. @param {number} bytes a whole number */
export function formatSize(bytes) {
  if (bytes > 0 && bytes % MIB === 0) return `${bytes / MIB} MiB`;
  if (bytes >= 1e6) return `${bytes / 1e6} MB`;
  return bytes >= 1000 ? `${bytes / 1000} kB` : `${bytes} B`;
}

/** @param {PayloadPlan} plan @returns {PlannedTrial[]} one for each counted message, in order */
export function trialsOf(plan) {
  const measured = withinBudget(plan);
  return measured.preset ? publishedTrialsOf(measured) : sweepTrialsOf(measured);
}

/**
 * Each size is warmed up, as TCP's congestion window grows with the bytes sent: in the first block all transports send an
 * uncounted message before any sends a counted one, so that the first counted one has the same predecessors as later ones.
 * @param {Sweep} plan @returns {PlannedTrial[]}
 */
function sweepTrialsOf({ transports, directions, sizes, repeats, seed }) {
  const random = createRandom(seed);
  const places = directions.flatMap((direction) => sizes.map((size) => ({ size, direction })));
  const shuffled = Array.from({ length: repeats }, (_, block) =>
    shuffle(places, random).map((place) => ({ block, ...place, order: shuffle(transports, random) })),
  );
  return shuffled.flat().flatMap(({ order, ...place }) => {
    const warmUps = place.block === 0 && { warmUps: order };
    return order.map((transport, i) => ({ ...place, transport, ...(i === 0 && warmUps) }));
  });
}

/**
 * One after the other, in the order of tables, as in the published test. That had no warm-up; here one message of the smallest
 * size comes first, so that no counted message includes opening the connection.
 * @param {PublishedPlan} plan @returns {PlannedTrial[]}
 */
function publishedTrialsOf({ transports, directions, sizes }) {
  const each = directions.flatMap((direction) =>
    sizes.flatMap((size) => transports.map((transport) => ({ size, direction, transport }))),
  );
  return Array.from({ length: PUBLISHED_PASSES }, (_, block) =>
    each.flatMap((place) =>
      Array.from({ length: PUBLISHED_MESSAGES[place.size] }, (__, i) => ({
        block,
        ...place,
        ...(block === 0 && i === 0 && place.size === sizes[0] && { warmUps: [place.transport] }),
      })),
    ),
  ).flat();
}
