/**
 * Draws how much faster a message over a WebSocket is at each distance of a study's users, and below it, on the same axis, how many are that
 * far away, with their verdicts.
 */
import { node, round, text } from '../base/svg.js';
import { formatRtt } from '../base/format.js';
import { SAME_PERCENT, SAME_RATIO, VERDICT_LABELS } from '../experiment/verdict.js';
import { BAND_MS, LAST_BAND_MS } from './tally.js';

/**
 * @import { SvgNode } from '../base/svg.js'
 * @import { Band } from './find.js'
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
/** Of an axis, in CSS pixels: its words below, and a gap on each side. */
const [EDGE, FOOT, HEAD, GAP] = [16, 44, 8, 1];
/** The farthest band that is always shown, so that near users look near. */
const LEAST_MS = 200;
/** Steps between ticks, ms. */
const STEPS = [20, 50, 100, 200, 500];
const TICK_PX = 48;

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
const CURVE_PART = 0.42;
/** Between the two pictures, for the words above the bars. */
const BETWEEN_PX = 30;
/** The least that the scale of the speed-up shows. */
const SHOWN = Object.freeze({ low: 0.95, high: 1.25 });

/**
 * @param {readonly Band[]} bands rising, at least one @param {{ width: number, height: number }} size in CSS pixels
 * @returns {SvgNode}
 */
export function drawDistances(bands, { width, height }) {
  const endMs = Math.max(LEAST_MS, bands[bands.length - 1].fromMs + BAND_MS);
  const xOf = (/** @type {number} */ ms) => EDGE + (ms / endMs) * (width - 2 * EDGE);
  const base = height - FOOT;
  const points = bands.flatMap(({ fromMs, speedUp }) => (speedUp ? [{ ms: fromMs + BAND_MS / 2, speedUp }] : []));
  const top = points.length > 0 ? CURVE_PART * base + BETWEEN_PX : HEAD;
  const most = Math.max(...bands.map(({ count }) => count));
  const heightOf = (/** @type {number} */ count) => (count / most) * (base - top);
  const step = STEPS.find((ms) => xOf(ms) - xOf(0) >= TICK_PX) ?? STEPS[STEPS.length - 1];
  const ticks = Array.from({ length: Math.floor(endMs / step) + 1 }, (_, i) => i * step);
  const attributes = { class: 'plot users-distances', viewBox: `0 0 ${width} ${height}`, role: 'img' };
  return node(
    'svg',
    { ...attributes, 'aria-label': describeBands(bands) },
    ...(points.length > 0 ? drawSpeedUp(points, { xOf, width, bottom: CURVE_PART * base, base }) : []),
    ...bands.flatMap((band) =>
      drawBand(band, { x: xOf(band.fromMs), width: xOf(BAND_MS) - xOf(0) - GAP, base, heightOf }),
    ),
    node('path', { class: 'axis', d: `M${EDGE} ${base + 0.5}H${width - EDGE}` }),
    ...ticks.map((ms) => text(String(ms), { x: xOf(ms), y: base + 18 }, 'middle')),
    text('Round-trip time, ms', { x: width / 2, y: height - 6 }, 'middle'),
  );
}

/**
 * Finds the distance from which on a WebSocket gains less than what is the same, by a line between the two means beside it.
 * @param {readonly { ms: number, speedUp: number }[]} points rising in time @returns {number | undefined} ms; absent where all gain more,
 *   or none does
 */
export function findSameMs(points) {
  const last = points.findLastIndex(({ speedUp }) => speedUp > SAME_RATIO);
  const [near, far] = [points[last], points[last + 1]];
  if (!near || !far) return undefined;
  return near.ms + ((near.speedUp - SAME_RATIO) / (near.speedUp - far.speedUp)) * (far.ms - near.ms);
}

/**
 * @param {readonly { ms: number, speedUp: number }[]} points
 * @param {{ xOf: (ms: number) => number, width: number, bottom: number, base: number }} at `base`: of the bars below @returns {SvgNode[]}
 */
function drawSpeedUp(points, { xOf, width, bottom, base }) {
  const low = Math.min(SHOWN.low, ...points.map(({ speedUp }) => speedUp));
  const high = Math.max(SHOWN.high, ...points.map(({ speedUp }) => speedUp));
  const yOf = (/** @type {number} */ ratio) =>
    round(bottom - ((ratio - low) / (high - low)) * (bottom - 2 * HEAD - HEAD));
  const sameMs = findSameMs(points);
  const isFar = sameMs !== undefined && xOf(sameMs) > width / 2;
  const line = points.map(({ ms, speedUp }, i) => `${i === 0 ? 'M' : 'L'}${round(xOf(ms))} ${yOf(speedUp)}`).join('');
  const highest = `${high.toFixed(2)}x`;
  return [
    node('path', {
      class: 'users-band',
      d: `M${EDGE} ${yOf(SAME_RATIO)}H${width - EDGE}V${yOf(Math.max(low, 1 / SAME_RATIO))}H${EDGE}Z`,
    }),
    text(`Times as fast, up to ${highest}`, { x: EDGE, y: 14 }, 'start'),
    node('path', { class: 'users-curve', d: line }),
    ...points.map(({ ms, speedUp }) =>
      node(
        'circle',
        { class: 'users-mean', cx: round(xOf(ms)), cy: yOf(speedUp), r: 3.5 },
        node('title', {}, `${ms} ms: ${speedUp.toFixed(2)}x`),
      ),
    ),
    ...(sameMs === undefined
      ? []
      : [
          node('path', { class: 'users-limit', d: `M${round(xOf(sameMs))} ${3 * HEAD}V${base}` }),
          text(
            `under ${SAME_PERCENT}% beyond ${formatRtt(sameMs)} ms`,
            { x: xOf(sameMs) + (isFar ? -6 : 6), y: bottom + BETWEEN_PX / 2 + 9 },
            // Where there is room for it.
            isFar ? 'end' : 'start',
          ),
        ]),
  ];
}

/** @param {Band} band @param {{ x: number, width: number, base: number, heightOf: (count: number) => number }} at @returns {SvgNode[]} */
function drawBand(band, { x, width, base, heightOf }) {
  let below = 0;
  return countParts(band).map(([kind, part]) => {
    const [bottom, top] = [heightOf(below), heightOf((below += part))];
    const box = { x: round(x), y: round(base - top), width: round(width), height: round(top - bottom) };
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
