/**
 * Draws one lane of a run that goes on: what begins on the upper line ends on the lower one. It is drawn beyond the present,
 * which its place hides, so that a page only has to move it.
 */
import { median } from '../base/statistics.js';
import { node, round, text } from './svg.js';

/**
 * @import { SvgNode } from './svg.js'
 *
 * @typedef {object} LiveLanes two methods over the same time
 * @property {string} title of their typical times
 * @property {string} note beneath these
 * @property {{ begins: string, ends: string, poll?: string, many?: string }} words what the marks stand for: hollow, filled, a tick;
 *   `many`: the noun of several
 * @property {number} spanMs the time that is seen at once
 * @property {{ speed: number, endMs: number }} [play] `speed`: of the shown time; `endMs`: the shown time when the last trial was
 *   over. Absent if nothing moves: the time of the lanes ends at 0
 * @property {(ms: number) => string} formatMs
 * @property {readonly LiveLane[]} lanes one or two
 *
 * @typedef {object} LiveLane
 * @property {string} label
 * @property {string} [about] beside the label
 * @property {string} colour the name of a custom property, without its dashes
 * @property {number} [typicalMs] so far, as the answer has it: a mean or a median; absent before the first
 * @property {{ periodMs: number }} [poll] its polls, at each multiple of the period
 * @property {readonly LiveExchange[]} exchanges
 * @typedef {{ beginsMs: number, endsMs: number, poll?: number }} LiveExchange `poll`: the number of the poll that found the news
 *
 * @typedef {{ isBundle: boolean, members: readonly LiveExchange[] }} Group of exchanges that begin one after the other
 * @typedef {object} LaneFrame
 * @property {number} width of what is seen, px
 * @property {number} spanMs the time that is seen, which ends now
 * @property {number} nowMs
 * @property {number} [aheadMs] the time beyond now that is drawn, too
 * @property {(ms: number) => string} formatMs of what the last took
 * @property {string} [noun] of several exchanges, such as 'messages'
 */

/** The height of a lane. */
const LANE_PX = 96;
const UPPER_PX = 16;
const LOWER_PX = 80;
const TICK_PX = 10;
/** From the upper line to the baseline of a number. */
const NUMBER_PX = 22;
const DOT_PX = { min: 1.5, max: 6 };
/** The radius of a dot as a share of the distance between two. */
const DOT_SHARE = 0.4;
/** Exchanges that begin closer to each other than that are drawn as one shape, with their number. */
const APART_PX = 10;
const BUNDLE_PX = 132;
/** Less than that has no room for a noun. */
const NOUN_PX = 110;
/** The room of a figure beside a dot, and its distance from it. */
const FIGURE_PX = { width: 58, apart: 12 };

/**
 * @param {{ exchanges: readonly LiveExchange[], poll?: { periodMs: number } }} lane @param {LaneFrame} frame
 * @returns {SvgNode} as wide as the time that is seen, and the time beyond
 */
export function drawLane({ exchanges, poll }, { width, spanMs, nowMs, aheadMs = 0, formatMs, noun }) {
  const pxPerMs = width / spanMs;
  const x = (/** @type {number} */ ms) => round((ms - nowMs + spanMs) * pxPerMs);
  const [leftMs, rightMs] = [nowMs - spanMs, nowMs + aheadMs];
  const drawn = exchanges.filter((one) => one.endsMs >= leftMs && one.beginsMs <= rightMs);
  const groups = groupsOf(drawn, BUNDLE_PX / pxPerMs);
  const loose = groups.filter(({ isBundle }) => !isBundle).flatMap(({ members }) => members);
  const bundles = groups.filter(({ isBundle }) => isBundle);
  const dotPx = dotPxOf(groups, pxPerMs);
  const whole = width + round(aheadMs * pxPerMs);
  return node(
    'svg',
    { class: 'lane', width: whole, height: LANE_PX, viewBox: `0 0 ${whole} ${LANE_PX}` },
    ...[UPPER_PX, LOWER_PX].map((y) => node('line', { class: 'rail', x1: 0, x2: whole, y1: y, y2: y })),
    ...(poll ? ticksOf(poll, drawn, { leftMs, rightMs, x }) : []),
    ...bundles.flatMap(({ members }) => bundleOf(members, { x, noun })),
    ...loose.map((one) => lineOf(one, nowMs, x)),
    ...loose.flatMap((one) => [
      dot('begins', x(one.beginsMs), UPPER_PX, dotPx),
      dot('ends', x(one.endsMs), LOWER_PX, dotPx),
    ]),
    ...figureOf(drawn, nowMs, { x, width, formatMs }),
  );
}

/**
 * Divides the time into equal slots, which stay where they are while it goes on. @param {readonly LiveExchange[]} drawn
 * @param {number} slotMs @returns {Group[]}
 */
function groupsOf(drawn, slotMs) {
  /** @type {Map<number, LiveExchange[]>} */
  const slots = new Map();
  for (const one of drawn) {
    const slot = Math.floor(one.beginsMs / slotMs);
    slots.set(slot, [...(slots.get(slot) ?? []), one]);
  }
  return [...slots.values()].map((members) => ({ isBundle: members.length > BUNDLE_PX / APART_PX, members }));
}

/**
 * From the first that begins to the last that ends: as many in that time.
 * @param {readonly LiveExchange[]} members @param {{ x: (ms: number) => number, noun?: string }} frame @returns {SvgNode[]}
 */
function bundleOf(members, { x, noun }) {
  const begins = members.map(({ beginsMs }) => x(beginsMs));
  const ends = members.map(({ endsMs }) => x(endsMs));
  const upper = [Math.min(...begins), Math.max(...begins)];
  const lower = [Math.min(...ends), Math.max(...ends)];
  const points = [
    [upper[0], UPPER_PX],
    [upper[1], UPPER_PX],
    [lower[1], LOWER_PX],
    [lower[0], LOWER_PX],
  ];
  const middle = round((upper[0] + lower[1]) / 2);
  const hasNoun = noun && lower[1] - upper[0] >= NOUN_PX;
  const number = hasNoun ? `${members.length} ${noun}` : String(members.length);
  return [
    node('polygon', { class: 'bundle', points: points.map((point) => point.join()).join(' ') }),
    // Above the figure of the last.
    text(number, { x: middle, y: UPPER_PX + NUMBER_PX }, 'middle', { class: 'number' }),
  ];
}

/** So large that few dots touch. @param {readonly Group[]} groups @param {number} pxPerMs */
function dotPxOf(groups, pxPerMs) {
  const loose = groups.filter(({ isBundle }) => !isBundle);
  const apartMs = loose.flatMap(({ members }) => members.slice(1).map((one, i) => one.beginsMs - members[i].beginsMs));
  // Without two of them there is no distance.
  const px = DOT_SHARE * (median(apartMs) ?? Infinity) * pxPerMs;
  return round(Math.min(DOT_PX.max, Math.max(DOT_PX.min, px)));
}

/** @param {string} name @param {number} x @param {number} y @param {number} r */
const dot = (name, x, y, r) => node('circle', { class: name, cx: x, cy: y, r });

/** What is under way is dashed. @param {LiveExchange} exchange @param {number} nowMs @param {(ms: number) => number} x */
const lineOf = ({ beginsMs, endsMs }, nowMs, x) =>
  node('line', {
    class: endsMs > nowMs ? 'way under' : 'way',
    ...{ x1: x(beginsMs), y1: UPPER_PX, x2: x(endsMs), y2: LOWER_PX },
  });

/**
 * Draws the polls; those that find nothing are faint.
 * @param {NonNullable<LiveLane['poll']>} poll @param {readonly LiveExchange[]} drawn
 * @param {{ leftMs: number, rightMs: number, x: (ms: number) => number }} frame
 */
function ticksOf({ periodMs }, drawn, { leftMs, rightMs, x }) {
  const finding = new Set(drawn.map(({ poll }) => poll));
  const first = Math.ceil(leftMs / periodMs);
  const count = Math.max(0, Math.floor(rightMs / periodMs) - first + 1);
  return Array.from({ length: count }, (_, i) => first + i).map((number) =>
    node('line', {
      class: finding.has(number) ? 'tick' : 'tick idle',
      ...{ x1: x(number * periodMs), x2: x(number * periodMs), y1: LOWER_PX - TICK_PX, y2: LOWER_PX + TICK_PX },
    }),
  );
}

/**
 * Writes beside the last that ended how long it took.
 * @param {readonly LiveExchange[]} drawn @param {number} nowMs
 * @param {{ x: (ms: number) => number, width: number, formatMs: (ms: number) => string }} frame
 */
function figureOf(drawn, nowMs, { x, width, formatMs }) {
  const last = drawn.filter(({ endsMs }) => endsMs <= nowMs).reduce(later, undefined);
  if (!last) return [];
  const atPx = x(last.endsMs);
  const isLeft = atPx + FIGURE_PX.apart + FIGURE_PX.width > width;
  const at = { x: isLeft ? atPx - FIGURE_PX.apart : atPx + FIGURE_PX.apart, y: LOWER_PX - FIGURE_PX.apart };
  return [text(formatMs(last.endsMs - last.beginsMs), at, isLeft ? 'end' : 'start', { class: 'last' })];
}

/** @param {LiveExchange | undefined} one @param {LiveExchange} other @returns {LiveExchange} */
const later = (one, other) => (one && one.endsMs >= other.endsMs ? one : other);

/** The units of times, the longest first, with the least span that is written in them. */
const UNITS = [
  { name: 'min', ms: 60_000, leastMs: 120_000 },
  { name: 's', ms: 1000, leastMs: 1000 },
  { name: 'ms', ms: 1, leastMs: 0 },
];

/**
 * @param {number} ms @param {number} [spanMs] whose unit it has
 * @returns {string} like '10 s', '5 min' or '30 ms'
 */
export function formatLaneTime(ms, spanMs = ms) {
  const unit = UNITS.find(({ leastMs }) => spanMs >= leastMs) ?? UNITS[UNITS.length - 1];
  return `${Number((ms / unit.ms).toPrecision(2))} ${unit.name}`;
}

/** @param {number} ms @returns {number} the next that is 1, 2 or 5 times a power of ten */
export function roundSpan(ms) {
  const power = 10 ** Math.floor(Math.log10(ms));
  return power * ([1, 2, 5].find((step) => step * power >= ms) ?? 10);
}
