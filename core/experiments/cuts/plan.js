/**
 * Defines the plan of a run of cuts, which fits into a link. A trial follows a feed by one method through one cut. The trials of a
 * cut run side by side, on one feed; the cuts of a block follow each other.
 */
import { formatCount, formatSeconds, listOf } from '../../base/format.js';
import { createRandom, shuffle } from '../../base/random.js';
import { sumOf } from '../../base/statistics.js';
import { MIN_BLOCKS } from '../../experiment/answer/compare.js';
import { checkSampleCount, integer, names, SEED } from '../../experiment/plan/fields.js';
import { blocksField } from '../../experiment/plan/blocks.js';
import { CUTS, FEED_RANGES } from '../../net/feed/feed.js';
import { DEFAULT_FEED_METHODS, FEED_LABELS, feedMethods } from '../../net/feed/index.js';

/**
 * @import { FeedOptions, CutName } from '../../net/feed/feed.js'
 * @import { PlanOf } from '../../experiment/plan/fields.js'
 * @typedef {PlanOf<typeof FIELDS>} CutsPlan
 * @typedef {keyof typeof KINDS} Kind
 * @typedef {{ block: number, cut: Kind, delivery: string }} PlannedTrial
 */

/** The kinds of cuts; `watch`: whoever measures cuts the connection, or only looks on. */
export const KINDS = Object.freeze({
  close: 'Closed as for a deploy',
  reset: 'Reset',
  stall: 'Silent, then goes on',
  dead: 'Connection dies silently',
  watch: 'Cut it yourself',
});

/** @type {readonly Kind[]} */
const DEFAULT_KINDS = ['close', 'dead'];
const MAX_WATCH_SECONDS = 170;

export const FIELDS = Object.freeze({
  deliveries: names({
    parameter: 'deliveries',
    label: 'Delivery methods',
    one: 'delivery method',
    choices: FEED_LABELS,
    isOrdered: true,
    default: DEFAULT_FEED_METHODS,
  }),
  cuts: names({
    parameter: 'cuts',
    label: 'Cuts',
    one: 'cut',
    choices: KINDS,
    help: 'how the connection breaks; dead: the server is silent, then resets it, which a network that forgot it does not',
    isOrdered: true,
    default: DEFAULT_KINDS,
  }),
  seconds: integer({
    parameter: 'seconds',
    label: 'Silence',
    unit: 's',
    help: 'duration of each silence',
    min: FEED_RANGES.cutMs.min / 1000,
    max: FEED_RANGES.cutMs.max / 1000,
    default: 20,
  }),
  rate: integer({ parameter: 'rate', label: 'Messages per second', ...FEED_RANGES.rate, default: 2 }),
  intervalMs: integer({
    parameter: 'interval',
    label: 'Poll interval',
    unit: 'ms',
    min: 100,
    max: 30_000,
    default: 2000,
  }),
  timeoutMs: integer({
    parameter: 'timeout',
    label: 'Time limit of a poll',
    unit: 'ms',
    min: 1000,
    max: 60_000,
    default: 10_000,
  }),
  watchSeconds: integer({
    parameter: 'watch',
    label: 'Time to cut it yourself',
    unit: 's',
    help: 'duration of a trial in which the server cuts nothing',
    min: 1,
    max: MAX_WATCH_SECONDS,
    default: 60,
  }),
  blocks: blocksField({
    help: `each has every cut once; an interval needs ${MIN_BLOCKS}`,
    min: 1,
    max: 50,
  }),
  seed: SEED,
});

/** From the start of a feed to the first instant of a cut: every method is connected by then, from any place. */
const LEAD_MS = 3000;
/** From the end of a cut to the last message: EventSource waits up to 5 s before it connects again. */
const AFTER_MS = 8000;
/** For how long a forgotten connection is watched, at least: Socket.IO notices after 45 s, none of the others so late. */
const FORGOTTEN_MS = 60_000;
/** From the last message until a method has given up on what it has not got. */
export const GRACE_MS = 3000;

/** @param {CutsPlan} plan @throws {InvalidInputError} if it makes too many samples */
export const checkPlan = (plan) =>
  checkSampleCount(sampleCountOf(plan), ['blocks', 'cuts', 'delivery methods', 'messages']);

/** @param {CutsPlan} plan */
const sampleCountOf = (plan) => plan.deliveries.length * sumOf(feedsOf(plan), ({ options }) => options.count);

/** @param {CutsPlan} plan @returns {PlannedTrial[]} block by block, the deliveries of a cut one after the other */
export const trialsOf = (plan) =>
  feedsOf(plan).flatMap(({ block, cut }) => plan.deliveries.map((delivery) => ({ block, cut, delivery })));

/**
 * @typedef {{ block: number, cut: Kind, instantMs: number, options: FeedOptions }} PlannedFeed `instantMs`: since the start, when the
 *   server cuts the connections, or whoever can cut the link
 */

/**
 * Plans the feeds. Over the blocks, the cuts of a kind come at stratified instants of the longest timer: each block has its
 * own part of it.
 * @param {CutsPlan} plan @returns {PlannedFeed[]}
 */
export function feedsOf(plan) {
  const { cuts, blocks, seed } = plan;
  const random = createRandom(seed);
  const kinds = /** @type {Kind[]} */ ([...cuts]);
  const strata = new Map(kinds.map((cut) => [cut, shuffle([...Array(blocks).keys()], random)]));
  return Array.from({ length: blocks }, (_, block) =>
    shuffle(kinds, random).map((cut) => {
      const share = (Number(strata.get(cut)?.[block]) + random()) / blocks;
      const instantMs = LEAD_MS + Math.round(share * longestTimerMs(plan));
      return { block, cut, instantMs, options: feedOf(cut, plan, instantMs) };
    }),
  ).flat();
}

/** Cached, because every trial of a document looks one up. @type {WeakMap<CutsPlan, Map<string, PlannedFeed>>} */
const feedsByPlan = new WeakMap();

/**
 * Finds the feed that a trial follows.
 * @param {CutsPlan} plan @param {{ block: number, cut: string }} trial @returns {PlannedFeed | undefined} its feed
 */
export function feedFor(plan, { block, cut }) {
  let feeds = feedsByPlan.get(plan);
  if (!feeds) {
    feeds = new Map(feedsOf(plan).map((feed) => [`${feed.block} ${feed.cut}`, feed]));
    feedsByPlan.set(plan, feeds);
  }
  return feeds.get(`${block} ${cut}`);
}

/**
 * A poll that is cut off comes an interval after the cut at most, and its repetition another interval later.
 * @param {CutsPlan} plan @returns {number} from the end of a cut to the last message
 */
const afterMs = ({ deliveries, intervalMs }) =>
  Math.max(AFTER_MS, deliveries.includes('poll') ? 2 * intervalMs + GRACE_MS : 0);

/** @param {Kind} cut @param {CutsPlan} plan @param {number} cutAtMs @returns {FeedOptions} */
function feedOf(cut, plan, cutAtMs) {
  const { rate, watchSeconds } = plan;
  if (cut === 'watch') return { rate, count: rate * watchSeconds, cut: 'none', cutAtMs: 0, cutMs: 0 };
  const cutMs = lastsOf(cut) ? plan.seconds * 1000 : 0;
  const count = Math.ceil(((cutAtMs + cutMs + afterMs(plan)) * rate) / 1000) + 1;
  return { rate, count, cut, cutAtMs, cutMs };
}

/**
 * @param {CutsPlan} plan @param {number} [cutMs] how long the link is cut; absent: it forgets its connections, for good
 * @returns {number} a duration of its trials with `watch`: TCP doubles the time between its attempts, so that the first after
 *   the cut may come as long after it as the cut lasted
 */
export function watchSecondsFor(plan, cutMs) {
  const restMs = cutMs === undefined ? FORGOTTEN_MS : 2 * cutMs;
  return Math.ceil((LEAD_MS + longestTimerMs(plan) + restMs + AFTER_MS) / 1000);
}

/** @param {Kind} cut @returns {boolean} does it last for the plan's seconds? */
export const lastsOf = (cut) => cut !== 'watch' && CUTS[/** @type {CutName} */ (cut)].lasts;

/**
 * @typedef {{ cut: Kind, linkCut?: { lastsMs?: number } }} Cut `linkCut`: of the link itself; `lastsMs`: absent if it forgot its
 *   connections
 * @param {Cut} row @returns {string} its kind, in tables and timelines
 */
export function nameCut({ cut, linkCut }) {
  if (!linkCut) return KINDS[cut];
  return linkCut.lastsMs === undefined ? 'Connections forgotten; new ones work' : 'All packets dropped both ways';
}

/** @param {CutsPlan} plan @returns {number} the longest time from one sign of life to the next of a delivery */
function longestTimerMs({ deliveries, intervalMs }) {
  return Math.max(...deliveries.map((name) => feedMethods[name].timerMs ?? (name === 'poll' ? intervalMs : 0)), 1000);
}

/** Estimates how long a run takes, in seconds. @param {CutsPlan} plan @returns {number} */
export const secondsOf = (plan) => Math.ceil(sumOf(feedsOf(plan), ({ options: { count, rate } }) => count / rate + 1));

/** What a cut by the server is. @type {Readonly<Record<string, (seconds: number) => string>>} */
const BREAKS = Object.freeze({
  close: () => 'connections closed, as for a deploy',
  reset: () => 'connections reset',
  stall: (seconds) => `${seconds} s of silence`,
  dead: (seconds) => `${seconds} s of silence, then connections reset`,
});

/** So many methods stand with their names. */
const MAX_NAMES = 3;

/** Describes what a plan measures, and how long that takes. @param {CutsPlan} plan @returns {string} sentences */
export function describePlan(plan) {
  const { deliveries, cuts, blocks, rate, seconds } = plan;
  const { length } = deliveries;
  const names = length > MAX_NAMES ? `${length} delivery methods` : listOf(deliveries.map((name) => FEED_LABELS[name]));
  const receive = length > 1 ? 'receive the same messages' : 'receives messages';
  const breaks = cuts.filter((cut) => cut !== 'watch').map((cut) => BREAKS[cut](seconds));
  const ofEach = breaks.length > 1 ? ' of each kind' : '';
  return [
    `${names} ${receive}, ${rate} per second.`,
    ...(breaks.length > 0 ? [`The server makes ${formatCount(blocks, 'cut')}${ofEach}: ${breaks.join('; ')}.`] : []),
    ...(cuts.includes('watch') ? [`You cut the connections yourself, ${formatTimes(blocks)}.`] : []),
    `Takes about ${formatSeconds(secondsOf(plan))}.`,
  ].join(' ');
}

/** @param {number} count @returns {string} such as 'once', '6 times' */
const formatTimes = (count) => (count === 1 ? 'once' : `${count} times`);
