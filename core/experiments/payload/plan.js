/**
 * What a run over sizes will do, fixed before it starts; it fits into a link.
 *
 * There are two kinds: the sweep, in interleaved blocks, from which intervals can be made; and the plan of the published
 * figures, which is theirs and not ours.
 */
import { TRANSFER_LABELS, labelOfTransfer } from '../../net/transfer/labels.js';
import { InvalidInputError } from '../../base/invalid-input.js';
import { createRandom, shuffle } from '../../base/random.js';
import { formatFields, hasFields, integer, integers, names, parseFields, quote } from '../../experiment/fields.js';
import { SEED } from '../../experiment/plan-link.js';
import { formatSize } from './format-size.js';

/** @import { Direction } from '../../net/transfer/index.js' */

/** In bytes, as all sizes. */
export const USUAL_SIZES = Object.freeze([1, 500, 1000, 10_000, 100_000, 1_000_000, 10_000_000]);

/** What the server takes on the paths of this experiment. */
export const MAX_SIZE = 16 * 1024 * 1024;

/** In the order of tables. */
export const DIRECTIONS = Object.freeze(/** @type {const} */ (['up', 'down', 'echo']));

/** @type {Readonly<Record<Direction, string>>} */
export const DIRECTION_LABELS = Object.freeze({ up: 'Up', down: 'Down', echo: 'Echo' });

export const PUBLISHED = 'published';

/**
 * How many messages of each size the published figures are made of, in each of two passes.
 *
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
});

/** Of a sweep. */
export const FIELDS = Object.freeze({
  ...PUBLISHED_FIELDS,
  sizes: integers({ ...PUBLISHED_FIELDS.sizes, default: USUAL_SIZES, rule: undefined }),
  // By fewer blocks an interval cannot be trusted.
  repeats: integer({ parameter: 'repeats', label: 'Repeats', help: 'blocks, 6 or more', min: 6, max: 50, default: 6 }),
  seed: integer({ ...SEED, help: 'of the order within the blocks, and of the content' }),
});

/**
 * @typedef {object} Sweep
 * @property {undefined} [preset]
 * @property {readonly string[]} transports names of transfer methods
 * @property {readonly Direction[]} directions
 * @property {readonly number[]} sizes rising, in bytes
 * @property {number} repeats blocks; in each, every transport takes each size in each direction once, in random order
 * @property {number} seed of the order, and of where messages begin in the content
 *
 * @typedef {object} PublishedPlan
 * @property {'published'} preset
 * @property {readonly string[]} transports
 * @property {readonly Direction[]} directions
 * @property {readonly number[]} sizes of {@link PUBLISHED_SIZES}, rising
 *
 * @typedef {Sweep | PublishedPlan} PayloadPlan
 *
 * @typedef {object} Group what is measured next to each other
 * @property {number} block counted from 0; a pass of the published plan
 * @property {number} size in bytes
 * @property {Direction} direction
 * @property {string[]} transports in the order of their trials; one for each message
 * @property {boolean} isWarmUp must each transport take an uncounted message of this size first?
 *
 * @typedef {{ block: number, size: number, direction: Direction, transport: string, warmUps?: string[] }} PlannedTrial one
 *   message; `warmUps`: the transports that first take one of this size that is not counted
 */

/**
 * @param {URLSearchParams} query
 * @param {{ seed: number }} options what it is where the query has none
 * @returns {PayloadPlan | undefined} absent where the query is about no plan
 * @throws {InvalidInputError} what, expected, got
 */
export function parsePayloadPlan(query, { seed }) {
  const preset = query.get('preset');
  if (preset === null) {
    return hasFields(query, FIELDS) ? /** @type {Sweep} */ (parseFields(query, FIELDS, { seed })) : undefined;
  }
  if (preset === PUBLISHED) return /** @type {PublishedPlan} */ ({ preset, ...parseFields(query, PUBLISHED_FIELDS) });
  throw new InvalidInputError(`preset: expected ${PUBLISHED}, got ${quote(preset)}`);
}

/**
 * @param {PayloadPlan} plan
 * @returns {string} a link's query
 */
export function formatPayloadPlan(plan) {
  if (plan.preset) return `preset=${plan.preset}&${formatFields(plan, PUBLISHED_FIELDS)}`;
  return formatFields(plan, FIELDS);
}

/**
 * @param {PayloadPlan} plan
 * @returns {string} a sentence
 */
export function describePayloadPlan(plan) {
  const { transports, directions, sizes } = plan;
  const names = transports.map(labelOfTransfer).join(', ');
  const ways = directions.join(', ');
  if (plan.preset) {
    const each = sizes.map((size) => `${PUBLISHED_MESSAGES[size]} of ${formatSize(size)}`).join(', ');
    const without = PUBLISHED_SIZES.filter((size) => !sizes.includes(size)).map(formatSize);
    return `As published${without.length > 0 ? `, but without ${without.join(', ')}` : ''}: ${each}, back-to-back, by each of ${names}, ${ways}; all of it twice, the better beside the other.`;
  }
  return `${plan.repeats} blocks; in each, every one of ${sizes.map(formatSize).join(', ')} goes ${ways}, once by each of ${names}, in random order.`;
}

/**
 * @param {PayloadPlan} plan
 * @param {number} size
 * @returns {number} messages that count, by each transport in each direction
 */
export function messageCountOf(plan, size) {
  return plan.preset ? PUBLISHED_PASSES * PUBLISHED_MESSAGES[size] : plan.repeats;
}

/**
 * A sweep warms each size up, as connections learn with the bytes how much they can carry. The published plan had no warm-up;
 * but the first message of a connection would carry what opening it takes, so one of the smallest size goes ahead.
 *
 * @param {PayloadPlan} plan
 * @param {number} size
 * @returns {boolean} does each transport take an uncounted message of this size in each direction?
 */
export function isWarmedUp(plan, size) {
  return plan.preset === undefined || size === plan.sizes[0];
}

/**
 * @param {PayloadPlan} plan
 * @returns {Group[]} in their order
 */
export function groupsOf(plan) {
  return plan.preset ? publishedGroupsOf(plan) : sweepGroupsOf(plan);
}

/**
 * @param {Sweep} plan
 * @returns {Group[]}
 */
function sweepGroupsOf({ transports, directions, sizes, repeats, seed }) {
  const random = createRandom(seed);
  const each = directions.flatMap((direction) => sizes.map((size) => ({ direction, size })));
  return Array.from({ length: repeats }, (_, block) =>
    shuffle(each, random).map((one) => ({
      ...one,
      block,
      transports: shuffle(transports, random),
      isWarmUp: block === 0,
    })),
  ).flat();
}

/**
 * One after the other, in the order of tables: as it was, not as it should be.
 *
 * @param {PublishedPlan} plan
 * @returns {Group[]}
 */
function publishedGroupsOf(plan) {
  const { transports, directions, sizes } = plan;
  return Array.from({ length: PUBLISHED_PASSES }, (_, block) =>
    directions.flatMap((direction) =>
      sizes.flatMap((size) =>
        transports.map((transport) => ({
          block,
          size,
          direction,
          transports: Array.from({ length: PUBLISHED_MESSAGES[size] }, () => transport),
          isWarmUp: block === 0 && isWarmedUp(plan, size),
        })),
      ),
    ),
  ).flat();
}

/**
 * @param {PayloadPlan} plan
 * @returns {PlannedTrial[]} one for each message that counts, in their order
 */
export function trialsOf(plan) {
  return groupsOf(plan).flatMap(({ block, size, direction, transports, isWarmUp }) =>
    transports.map((transport, i) => ({
      block,
      size,
      direction,
      transport,
      ...(isWarmUp && i === 0 && { warmUps: [...new Set(transports)] }),
    })),
  );
}
