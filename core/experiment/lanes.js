/**
 * Draws one lane of a run that goes on: what begins on the upper line ends on the lower one. It is drawn beyond the present,
 * which its place hides, so that a page only has to move it.
 */
import { node, round, text } from '../base/svg.js';

/**
 * @import { SvgNode } from '../base/svg.js'
 * @import { LiveExchange, LiveLane } from './contract.js'
 * @typedef {object} LaneFrame
 * @property {number} width of what is seen, px
 * @property {number} spanMs the time that is seen, which ends now
 * @property {number} nowMs
 * @property {number} [aheadMs] the time beyond now that is drawn, too
 * @property {(ms: number) => string} formatMs of what the last took
 */

/** The height of a lane. */
const LANE_PX = 96;
const UPPER_PX = 16;
const LOWER_PX = 80;
const TICK_PX = 10;
const DOT_PX = { min: 1.5, max: 6 };
/** The radius of a dot as a share of the distance between two. */
const DOT_SHARE = 0.4;
/** The room of a figure beside a dot, and its distance from it. */
const FIGURE_PX = { width: 58, apart: 12 };

/**
 * @param {{ exchanges: readonly LiveExchange[], poll?: { periodMs: number } }} lane @param {LaneFrame} frame
 * @returns {SvgNode} as wide as the time that is seen, and the time beyond
 */
export function drawLane({ exchanges, poll }, { width, spanMs, nowMs, aheadMs = 0, formatMs }) {
  const pxPerMs = width / spanMs;
  const x = (/** @type {number} */ ms) => round((ms - nowMs + spanMs) * pxPerMs);
  const [leftMs, rightMs] = [nowMs - spanMs, nowMs + aheadMs];
  const drawn = exchanges.filter((one) => one.endsMs >= leftMs && one.beginsMs <= rightMs);
  const dotPx = dotPxOf(drawn, pxPerMs);
  const whole = width + round(aheadMs * pxPerMs);
  return node(
    'svg',
    { class: 'lane', width: whole, height: LANE_PX, viewBox: `0 0 ${whole} ${LANE_PX}` },
    ...[UPPER_PX, LOWER_PX].map((y) => node('line', { class: 'rail', x1: 0, x2: whole, y1: y, y2: y })),
    ...(poll ? ticksOf(poll, drawn, { leftMs, rightMs, x }) : []),
    ...drawn.map((one) => lineOf(one, nowMs, x)),
    ...drawn.flatMap((one) => [
      dot('begins', x(one.beginsMs), UPPER_PX, dotPx),
      dot('ends', x(one.endsMs), LOWER_PX, dotPx),
    ]),
    ...figureOf(drawn, nowMs, { x, width, formatMs }),
  );
}

/** So large that few dots touch. @param {readonly LiveExchange[]} drawn @param {number} pxPerMs */
function dotPxOf(drawn, pxPerMs) {
  const begins = drawn.map(({ beginsMs }) => beginsMs);
  const apartMs = (Math.max(...begins) - Math.min(...begins)) / (drawn.length - 1);
  // Without two of them there is no distance.
  const px = drawn.length > 1 ? DOT_SHARE * apartMs * pxPerMs : DOT_PX.max;
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
