/**
 * Draws how much faster a message over a WebSocket is at each distance of a study's users, and below it, on the same axis, how many are that
 * far away, with their verdicts.
 */
import { formatRtt } from '../base/format.js';
import { node, round, text, widthOf } from '../picture/svg.js';
import { createScale } from '../picture/plot-scale.js';
import { SAME_PERCENT, SAME_RATIO, VERDICT_LABELS } from '../experiment/answer/verdict.js';
import { findSameMs, pointsOf } from './limit.js';
import { BAND_MS, LAST_BAND_MS } from './tally.js';

/**
 * @import { SvgNode } from '../picture/svg.js'
 * @import { Band } from './find.js'
 * @import { Point } from './limit.js'
 */

/** From the bottom of a bar to its top, with the class of its part. */
const PARTS = /** @type {const} */ ([
  ['faster', 'users-faster'],
  ['little-faster', 'users-little'],
  ['same', 'users-same'],
  ['unclear', 'users-unclear'],
  ['little-slower', 'users-slower'],
  ['slower', 'users-slower'],
]);
/** Of both pictures, in CSS pixels: the figures beside them, what is free on the other side, the words below, those above, and a gap. */
const [LEFT, RIGHT, FOOT, TITLE, GAP] = [46, 14, 46, 24, 1];
/** The farthest band that is always shown, so that near users look near. */
const LEAST_MS = 100;
/** The least between two ticks. */
const TICK_PX = Object.freeze({ x: 44, y: 26 });
/** Marks below the axis, half of a figure's height, and a title's line below its top. */
const [MARK_PX, HALF_TEXT_PX, BASELINE_PX] = [5, 5, 14];
/** Between the band and the title below it. */
const APART_PX = 8;
const COUNTED = 'Browsers';
/** The first that fits. */
const SPEED_UPS = Object.freeze(['WebSocket, times as fast as a request', 'WebSocket, times as fast']);

/** Those without a WebSocket have no verdict. */
const NONE = 'users-none';

/** All parts, for a legend. */
const LEGEND = [
  ...PARTS.filter(([verdict]) => verdict !== 'slower').map(([verdict, kind]) => ({
    kind: /** @type {string} */ (kind),
    label: verdict === 'little-slower' ? 'slower' : VERDICT_LABELS[verdict],
  })),
  { kind: NONE, label: 'no WebSocket' },
];

/** @param {readonly Band[]} bands @returns {{ kind: string, label: string }[]} the parts that are drawn of them: class and words */
export function legendOf(bands) {
  const drawn = new Set(bands.flatMap(countParts).map(([kind]) => kind));
  return LEGEND.filter(({ kind }) => drawn.has(kind));
}

/** The part of the height that the speed-up has. */
const CURVE_PART = 0.44;
/** The least that the scale of the speed-up shows. */
const SHOWN = Object.freeze({ low: 0.95, high: 1.25 });

/**
 * @typedef {{ at: number, words: string }} Tick
 * @typedef {(ms: number) => number} XOf px
 */

/**
 * @param {readonly Band[]} bands rising, at least one @param {{ width: number, height: number }} size in CSS pixels
 * @returns {SvgNode}
 */
export function drawDistances(bands, { width, height }) {
  const base = height - FOOT;
  const right = width - RIGHT;
  const endMs = Math.max(LEAST_MS, bands[bands.length - 1].fromMs + BAND_MS);
  const x = createScale({ title: '', range: [0, endMs] }, [], { from: LEFT, to: right, gapPx: TICK_PX.x, isX: true });
  const points = pointsOf(bands);
  const middle = points.length > 0 ? CURVE_PART * base : 0;
  const most = Math.max(...bands.map(({ count }) => count));
  const counts = createScale({ title: '', range: [0, most] }, [], {
    ...{ from: base, to: middle + TITLE + HALF_TEXT_PX, gapPx: TICK_PX.y, isX: false },
  });
  // Browsers are whole numbers.
  const whole = counts.ticks.filter(({ words }) => !words.includes('.'));
  const attributes = { class: 'plot users-distances', viewBox: `0 0 ${width} ${height}`, width, height, role: 'img' };
  return node(
    'svg',
    { ...attributes, 'aria-label': describeBands(bands) },
    ...(points.length > 0 ? drawSpeedUp(points, { xOf: x.place, right, bottom: middle, base }) : []),
    ...drawGrid(whole, right),
    drawTitle(COUNTED, middle),
    ...bands.flatMap((band) =>
      drawBand(band, {
        x: x.place(band.fromMs),
        width: x.place(BAND_MS) - LEFT - GAP,
        yOf: counts.place,
      }),
    ),
    ...x.ticks.flatMap(({ at, words }) => [
      node('path', { class: 'axis', d: `M${round(at)} ${base}v${MARK_PX}` }),
      text(words, { x: at, y: base + 20 }, 'middle'),
    ]),
    text('Round-trip time, ms', { x: (LEFT + right) / 2, y: height - 6 }, 'middle'),
  );
}

/** @param {string} words @param {number} top of its picture */
const drawTitle = (words, top) => text(words, { x: 0, y: top + BASELINE_PX }, 'start', { class: 'tick name' });

/** @param {readonly Tick[]} ticks @param {number} right @returns {SvgNode[]} a line at each, and its figure on the left */
const drawGrid = (ticks, right) =>
  ticks.flatMap(({ at, words }) => [
    node('path', { class: 'axis', d: `M${LEFT} ${round(at)}H${right}` }),
    text(words, { x: LEFT - 8, y: at + HALF_TEXT_PX }, 'end'),
  ]);

/**
 * @param {readonly Point[]} points
 * @param {{ xOf: XOf, right: number, bottom: number, base: number }} at `base`: of the bars below @returns {SvgNode[]}
 */
function drawSpeedUp(points, { xOf, right, bottom, base }) {
  const ratios = points.map(({ speedUp }) => speedUp);
  const low = Math.min(SHOWN.low, ...ratios);
  const { place, ticks } = createScale(
    { title: '', range: [low, Math.max(SHOWN.high, ...ratios)], format: (ratio) => `${ratio}x` },
    [],
    { from: bottom - HALF_TEXT_PX - APART_PX, to: TITLE + HALF_TEXT_PX, gapPx: TICK_PX.y, isX: false },
  );
  const yOf = (/** @type {number} */ ratio) => round(place(ratio));
  const line = points.map(({ ms, speedUp }, i) => `${i === 0 ? 'M' : 'L'}${round(xOf(ms))} ${yOf(speedUp)}`).join('');
  const sameMs = findSameMs(points);
  return [
    node('path', {
      class: 'users-band',
      d: `M${LEFT} ${yOf(SAME_RATIO)}H${right}V${yOf(Math.max(low, 1 / SAME_RATIO))}H${LEFT}Z`,
    }),
    ...drawGrid(ticks, right),
    drawTitle(SPEED_UPS.find((words) => widthOf(words) <= right) ?? '', 0),
    ...(sameMs === undefined ? [] : drawLimit(sameMs, { x: xOf(sameMs), right, bottom, base })),
    node('path', { class: 'users-curve', d: line }),
    ...points.map(({ ms, speedUp }) =>
      node(
        'circle',
        { class: 'users-mean', cx: round(xOf(ms)), cy: yOf(speedUp), r: 3.5 },
        node('title', {}, `${ms} ms: ${speedUp.toFixed(2)}x`),
      ),
    ),
  ];
}

/**
 * Draws the distance beyond which a WebSocket gains little; its words stand in the line of the lower title, behind it.
 * @param {number} ms @param {{ x: number, right: number, bottom: number, base: number }} at @returns {SvgNode[]}
 */
function drawLimit(ms, { x, right, bottom, base }) {
  const words = `less than ${SAME_PERCENT}% faster beyond ${formatRtt(ms)} ms`;
  const from = Math.max(widthOf(COUNTED) + HALF_TEXT_PX, Math.min(x + HALF_TEXT_PX, right - widthOf(words)));
  return [
    node('path', { class: 'users-limit', d: `M${round(x)} ${TITLE}V${base}` }),
    text(words, { x: from, y: bottom + BASELINE_PX }, 'start'),
  ];
}

/** @param {Band} band @param {{ x: number, width: number, yOf: (count: number) => number }} at @returns {SvgNode[]} */
function drawBand(band, { x, width, yOf }) {
  let below = 0;
  return countParts(band).map(([kind, part]) => {
    const [bottom, top] = [yOf(below), yOf((below += part))];
    const box = { x: round(x), y: round(top), width: round(width), height: round(bottom - top) };
    return node('rect', { class: kind, ...box }, node('title', {}, `${nameBand(band.fromMs)}: ${band.count}`));
  });
}

/** @param {Band} band @returns {[kind: string, count: number][]} its parts that are not empty, from the bottom */
function countParts({ count, verdicts }) {
  const judged = PARTS.map(([verdict, kind]) => /** @type {[string, number]} */ ([kind, verdicts[verdict].count]));
  const sum = judged.reduce((total, [, part]) => total + part, 0);
  return [...judged, /** @type {[string, number]} */ ([NONE, count - sum])].filter(([, part]) => part !== 0);
}

/** @param {readonly Band[]} bands @returns {string} */
const describeBands = (bands) =>
  `Browsers by round-trip time: ${bands
    .map(({ fromMs, count, speedUp }) => {
      const faster = speedUp ? `, ${speedUp.toFixed(2)}x as fast over a WebSocket` : '';
      return `${nameBand(fromMs)}: ${count}${faster}`;
    })
    .join('; ')}`;

/** @param {number} fromMs @returns {string} such as '20 to 40 ms' */
const nameBand = (fromMs) =>
  fromMs === LAST_BAND_MS ? `${fromMs} ms and more` : `${fromMs} to ${fromMs + BAND_MS} ms`;
