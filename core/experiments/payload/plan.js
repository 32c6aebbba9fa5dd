/**
 * The plan of a run over sizes, fixed before it starts; it fits into a link.
 *
 * There are two kinds: the sweep, in interleaved blocks, which gives intervals; and the plan of the published figures.
 */
import { TRANSFER_LABELS } from '../../net/labels.js';
import { InvalidInputError } from '../../base/foreign-text.js';
import { createRandom, shuffle } from '../../base/random.js';
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
import { formatSize } from './format-size.js';

/** @import { Direction } from '../../net/transfer/index.js' */

/** In bytes, as all sizes. */
export const DEFAULT_SIZES = Object.freeze([1, 500, 1000, 10_000, 100_000, 1_000_000, 10_000_000]);

/** The server's limit on the paths of this experiment. */
export const MAX_SIZE = 16 * 1024 * 1024;

/** In the order of tables. */
export const DIRECTIONS = Object.freeze(/** @type {const} */ (['up', 'down', 'echo']));

/** A sentence lists up to so many names, and counts more. */
const MAX_LISTED = 3;

/** @type {Readonly<Record<Direction, string>>} */
export const DIRECTION_LABELS = Object.freeze({ up: 'Upload', down: 'Download', echo: 'Echo' });

export const PUBLISHED = 'published';

/**
 * The number of messages of each size in the published figures, in each of two passes.
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
  sizes: integers({ ...PUBLISHED_FIELDS.sizes, default: DEFAULT_SIZES, rule: undefined }),
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
 * @property {number} repeats blocks; in each, every transport sends each size in each direction once, in random order
 * @property {number} seed of the order, and of the messages' offsets in the content
 *
 * @typedef {object} PublishedPlan
 * @property {'published'} preset
 * @property {readonly string[]} transports
 * @property {readonly Direction[]} directions
 * @property {readonly number[]} sizes of {@link PUBLISHED_SIZES}, rising
 *
 * @typedef {Sweep | PublishedPlan} PayloadPlan
 *
 * @typedef {object} Group of messages measured next to each other
 * @property {number} block counted from 0; a pass of the published plan
 * @property {number} size in bytes
 * @property {Direction} direction
 * @property {string[]} transports in the order of their trials; one for each message
 * @property {boolean} isWarmUp does each transport first send an uncounted message of this size?
 *
 * @typedef {{ block: number, size: number, direction: Direction, transport: string, warmUps?: string[] }} PlannedTrial one
 *   message; `warmUps`: the transports that first send an uncounted one of this size
 */

/**
 * @param {URLSearchParams} query
 * @param {{ seed: number }} options the default
 * @returns {PayloadPlan | undefined} absent if the query has no plan
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

/**
 * @param {PayloadPlan} plan
 * @param {number} size
 * @returns {number} counted messages of each transport in each direction
 */
export function messageCountOf(plan, size) {
  return plan.preset ? PUBLISHED_PASSES * PUBLISHED_MESSAGES[size] : plan.repeats;
}

/**
 * A sweep warms each size up, as TCP's congestion window grows with the bytes sent. The published plan had no warm-up; here
 * one message of the smallest size comes first, so that no counted message includes opening the connection.
 *
 * @param {PayloadPlan} plan
 * @param {number} size
 * @returns {boolean} does each transport send an uncounted message of this size in each direction?
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
 * One after the other, in the order of tables, as in the published test.
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
 * @returns {PlannedTrial[]} one for each counted message, in order
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
