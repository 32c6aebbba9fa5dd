/**
 * Draws lines over two axes, each linear or logarithmic, or a cloud of points. The names stand at the ends of the lines, if the
 * chart has them there and there is room; else in a legend, which is the page's.
 */
import { line, node, round, text, widthOf } from '../base/svg.js';
import { clamp } from './picture-frame.js';
import { createScale } from './plot-scale.js';

/**
 * @import { Interval } from '../base/statistics.js'
 * @import { Point, SvgNode } from '../base/svg.js'
 * @import { Scale } from './plot-scale.js'
 *
 * @typedef {{ title: string, logBase?: 2 | 10, range?: [number, number], format?: (tick: number) => string }} Axis
 *
 * @typedef {object} Line
 * @property {string} label
 * @property {string} colour the name of a custom property, without its dashes: a transport's, a delivery method's
 * @property {readonly number[]} [dash]
 * @property {boolean} [hasPoints] few enough to be seen one by one
 * @property {readonly (number | null)[]} values one for each of the chart's; null if there is none
 * @property {readonly ({ low: number, high: number } | null)[]} [band] the values' intervals
 *
 * @typedef {{ label: string, colour: string, x: number, y: number, interval?: Interval }} Dot with its name; interval
 *   of y
 *
 * @typedef {object} Chart lines over one axis, or dots, as data
 * @property {string} [heading]
 * @property {string} caption
 * @property {string} [bandName] what the bands of the lines are, for the caption
 * @property {readonly string[]} [sentences] those about this chart only
 * @property {Axis} x
 * @property {Axis} y
 * @property {readonly number[]} values of the x axis, rising
 * @property {readonly Line[]} lines
 * @property {readonly Dot[]} [dots] over the lines, if there are any; both axes are logarithmic
 * @property {{ low: number, high: number }} [same] values of y that are the same for most purposes
 * @property {readonly { x: number, label: string }[]} [marks] vertical lines, like a limit
 * @property {{ from: number, to: number, label: string }} [span] values of x between which something went on
 * @property {boolean} [hasDirectLabels] the names stand at the ends of the lines, not in a legend
 *
 * @typedef {Omit<Chart, 'caption' | 'lines'> & { lines: readonly (Line & { isCloud?: boolean })[] }} Plot `isCloud`: too many
 *   points for a line
 * @typedef {{ left: number, right: number, top: number, bottom: number, x: Scale, y: Scale }} Frame
 */

const MARGIN = Object.freeze({ left: 62, right: 20, top: 10, bottom: 44 });
const LINE_PX = 18;
const GAP_PX = 8;
const POINT_PX = 4;
const CLOUD_PX = 4;
/** Names that need more of the width beside the y axis stand in the legend. */
const MAX_SHARE = 0.35;

/** @param {Plot['lines']} lines @returns {number} what their names need beside them, in px */
const roomOf = (lines) => Math.max(0, ...lines.map(({ label }) => widthOf(label))) + 2 * GAP_PX;

/** Whether the names stand in the picture. @param {Plot} chart @param {number} width of it, in px */
export const hasNames = ({ lines, hasDirectLabels = false }, width) =>
  hasDirectLabels && roomOf(lines) <= MAX_SHARE * (width - MARGIN.left);

/** @param {Chart} chart @returns {string} its caption, which says what the bands are */
export const captionOf = ({ caption, bandName }) => (bandName ? `${caption}, with its ${bandName}` : caption);

/**
 * @param {Plot} chart @param {{ width: number, height: number }} size in CSS pixels @returns {SvgNode}
 */
export function drawPlot(chart, { width, height }) {
  const isNamed = hasNames(chart, width);
  const frame = createFrame(chart, { width: isNamed ? width - roomOf(chart.lines) + MARGIN.right : width, height });
  return node(
    'svg',
    { class: 'curves plot', viewBox: `0 0 ${width} ${height}`, width, height, 'aria-hidden': 'true' },
    ...drawSpan(chart, frame),
    ...drawAxes(chart, frame),
    ...chart.lines.flatMap((one) => drawBand(one, chart, frame)),
    ...chart.lines.flatMap((one) => (one.isCloud ? drawCloud(one, chart, frame) : drawLine(one, chart, frame))),
    ...drawMarks(chart, frame),
    ...(isNamed ? drawNames(chart, frame) : []),
  );
}

/** @param {Plot} chart @param {{ width: number, height: number }} size @returns {Frame} */
function createFrame({ x, y, values, lines, span }, { width, height }) {
  const [left, right] = [MARGIN.left, width - MARGIN.right];
  const top = MARGIN.top + (y.title ? LINE_PX : 0) + (span ? LINE_PX : 0);
  const bottom = height - MARGIN.bottom;
  const ys = lines.flatMap((one) => [
    ...one.values,
    ...(one.band ?? []).flatMap((interval) => (interval ? [interval.low, interval.high] : [])),
  ]);
  return {
    ...{ left, right, top, bottom },
    x: createScale(x, values, { from: left, to: right, gapPx: 46, isX: true }),
    y: createScale(y, ys, { from: bottom, to: top, gapPx: 24, isX: false }),
  };
}

/** @param {Plot} chart @param {Frame} frame @returns {SvgNode[]} */
function drawAxes({ x: xAxis, y: yAxis }, { left, right, top, bottom, x, y }) {
  return [
    ...x.ticks.flatMap(({ at, words }) => [
      line('grid', { x: at, y: top }, { x: at, y: bottom }),
      text(words, { x: at, y: bottom + 14 }, 'middle'),
    ]),
    ...y.ticks.flatMap(({ at, words }) => [
      line('grid', { x: left, y: at }, { x: right, y: at }),
      text(words, { x: left - GAP_PX, y: at }, 'end'),
    ]),
    ...(xAxis.title ? [text(xAxis.title, { x: (left + right) / 2, y: bottom + 34 }, 'middle')] : []),
    ...(yAxis.title ? [text(yAxis.title, { x: left - MARGIN.left, y: LINE_PX / 2 }, 'start')] : []),
  ];
}

/** @param {Line} one @param {Plot} chart @param {Frame} frame @returns {(Point | undefined)[]} absent where it has no value */
const pointsOf = ({ values: own }, { values }, { x, y }) =>
  own.map((value, i) => (value === null ? undefined : { x: x.place(values[i]), y: y.place(value) }));

/** @param {readonly (Point | undefined)[]} points @param {boolean} spansGaps @returns {string} a path */
function pathOf(points, spansGaps) {
  let isDown = false;
  const steps = points.map((point) => {
    if (!point) {
      isDown &&= spansGaps;
      return '';
    }
    const step = `${isDown ? 'L' : 'M'}${round(point.x)} ${round(point.y)}`;
    isDown = true;
    return step;
  });
  return steps.join('');
}

/** @param {Line} one @param {Plot} chart @param {Frame} frame @returns {SvgNode[]} */
function drawLine(one, chart, frame) {
  const { colour, dash, hasPoints = false } = one;
  const points = pointsOf(one, chart, frame);
  const stroke = `var(--${colour})`;
  const style = /** @type {Record<string, string>} */ (dash ? { 'stroke-dasharray': dash.join(' ') } : {});
  // Measurements are visible by their points, even if another run of the chart has more of them.
  const path = node('path', { class: 'curve', d: pathOf(points, hasPoints), stroke, ...style });
  const shown = hasPoints ? points.flatMap((point) => point ?? []) : [];
  return [path, ...shown.map(({ x, y }) => node('circle', { cx: round(x), cy: round(y), r: POINT_PX, fill: stroke }))];
}

/** Draws points as one path: an element for each would take twice the CPU time, and all of it in the main thread. @param {Line} one @param {Plot} chart @param {Frame} frame */
function drawCloud(one, chart, frame) {
  const points = pointsOf(one, chart, frame).flatMap((point) => point ?? []);
  const d = points.map(({ x, y }) => `M${round(x)} ${round(y)}h0`).join('');
  return [node('path', { class: 'cloud', d, stroke: `var(--${one.colour})`, 'stroke-width': CLOUD_PX })];
}

/** @param {Line} one @param {Plot} chart @param {Frame} frame @returns {SvgNode[]} */
function drawBand({ colour, band }, { values }, { x, y }) {
  if (!band) return [];
  const known = band.flatMap((interval, i) => (interval ? [{ ...interval, at: x.place(values[i]) }] : []));
  const edge = [
    ...known.map(({ at, high }) => `${round(at)},${round(y.place(high))}`),
    ...known.map(({ at, low }) => `${round(at)},${round(y.place(low))}`).reverse(),
  ];
  return known.length > 0 ? [node('polygon', { class: 'band', points: edge.join(' '), fill: `var(--${colour})` })] : [];
}

/** Draws a band beneath the grid, with its name above it. @param {Plot} chart @param {Frame} frame @returns {SvgNode[]} */
function drawSpan({ span }, { left, right, top, bottom, x }) {
  if (!span) return [];
  const [from, to] = [x.place(span.from), x.place(span.to)];
  const half = Math.min(right - left, widthOf(span.label)) / 2;
  const area = { x: round(from), y: top, width: round(to - from), height: bottom - top };
  const at = { x: clamp((from + to) / 2, left + half, right - half), y: top - LINE_PX / 2 };
  return [node('rect', { class: 'same', ...area }), text(span.label, at, 'middle')];
}

/** Draws vertical lines with their names. @param {Plot} chart @param {Frame} frame @returns {SvgNode[]} */
function drawMarks({ marks = [], values }, { left, right, top, bottom, x }) {
  const within = marks.filter((mark) => mark.x >= Math.min(...values) && mark.x <= Math.max(...values));
  return within.flatMap(({ x: value, label }) => {
    const at = x.place(value);
    const isLeft = at - left > (right - left) / 2;
    return [
      line('same-from', { x: at, y: top }, { x: at, y: bottom }),
      text(label, { x: at + (isLeft ? -GAP_PX : GAP_PX), y: top + LINE_PX / 2 }, isLeft ? 'end' : 'start'),
    ];
  });
}

/** Names the lines at their ends. @param {Plot} chart @param {Frame} frame @returns {SvgNode[]} */
function drawNames(chart, frame) {
  const ends = chart.lines.flatMap((one) => {
    const last = pointsOf(one, chart, frame).findLast((point) => point);
    return last ? [{ ...last, label: one.label, colour: one.colour }] : [];
  });
  ends.sort((a, b) => a.y - b.y);
  spread(ends, frame.bottom);
  // Right of the longest line, as the name of a shorter one would cross it.
  const x = Math.max(...ends.map((end) => end.x)) + GAP_PX;
  return ends.map(({ label, colour, y }) => text(label, { x, y }, 'start', { fill: `var(--${colour})` }));
}

/**
 * Moves overlapping rows apart, downwards first, and up again from the bottom.
 * @param {{ y: number }[]} rows from top to bottom @param {number} bottom
 */
function spread(rows, bottom) {
  for (const [i, row] of rows.entries()) row.y = Math.max(row.y, i > 0 ? rows[i - 1].y + LINE_PX : -Infinity);
  let limit = bottom;
  for (const row of rows.toReversed()) {
    row.y = Math.min(row.y, limit);
    limit = row.y - LINE_PX;
  }
}
