/**
 * Draws lines over two axes, each linear or logarithmic, or a cloud of points. The names stand at the ends of the lines, if the
 * chart has them there and there is room; else in a legend, which is the page's.
 */
import { isVeryWide, listOf } from '../base/format.js';
import { clamp, line, node, placeLabel, round, text, widthOf } from './svg.js';
import { createScale } from './plot-scale.js';

/**
 * @import { Interval } from '../base/statistics.js'
 * @import { Box, Point, SvgNode } from './svg.js'
 * @import { Scale } from './plot-scale.js'
 *
 * @typedef {object} Axis
 * @property {string} title
 * @property {2 | 10} [logBase]
 * @property {[number, number]} [range]
 * @property {readonly (readonly number[])[]} [ticks] if they are no round numbers: the first list for which there is room is used
 * @property {boolean} [isCount] of a linear axis: nothing is between two whole numbers
 * @property {(tick: number) => string} [format]
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
 * @property {boolean} [isDetail] on pages folded with the method
 * @property {boolean} [hasDirectLabels] the names stand at the ends of the lines, not in a legend
 *
 * @typedef {Omit<Chart, 'caption' | 'lines'> & { lines: readonly (Line & { isCloud?: boolean })[] }} Plot `isCloud`: too many
 *   points for a line
 * @typedef {{ width: number, height: number }} Size in CSS pixels
 * @typedef {{ left: number, right: number, top: number, bottom: number, x: Scale, y: Scale }} Frame
 * @typedef {{ label: string, colour: string, points: readonly Point[], end: Point }} Named a line with its name
 * @typedef {Box & { label: string, colour: string }} NameBox
 */

const MARGIN = Object.freeze({ left: 70, right: 20, top: 10, bottom: 44 });
const LINE_PX = 18;
const GAP_PX = 8;
const POINT_PX = 4;
const CLOUD_PX = 4;
/** Names that need more of the width beside the y axis stand in the legend. */
const MAX_SHARE = 0.35;
/** Lines that end this near to the rightmost one have their names in one column. */
const COLUMN_PX = 40;
/** The distance of points that stand for a line beneath a name. */
const TRACE_PX = 12;
/** How many such points a name may cover rather than stand one row off. */
const ROW_COST = 2;

/** @param {Plot['lines']} lines @returns {number} what their names need beside them, in px */
const roomOf = (lines) => Math.max(0, ...lines.map(({ label }) => widthOf(label))) + 2 * GAP_PX;

/**
 * Whether the names stand in the picture: each in a row of its own, as several lines may end at one place.
 * @param {Plot} chart @param {Size} size of the picture
 */
export function hasNames(chart, { width, height }) {
  const { lines, hasDirectLabels = false } = chart;
  const { top, bottom } = edgesOf(chart, height);
  const hasRoom = roomOf(lines) <= MAX_SHARE * (width - MARGIN.left) && lines.length * LINE_PX <= bottom - top;
  return hasDirectLabels && hasRoom;
}

/** @param {Plot} chart @param {number} height of the picture */
const edgesOf = ({ y, span }, height) => ({
  top: MARGIN.top + (y.title ? LINE_PX : 0) + (span ? LINE_PX : 0),
  bottom: height - MARGIN.bottom,
});

/** @param {Chart} chart @returns {string} its caption, which says what the bands are and where none is, and what a dot’s arrow is, or its lack of a line */
export function captionOf({ caption, bandName, lines, dots = [] }) {
  const bare = lines.filter(hasWideBand);
  const hasArrow = dots.some(({ interval }) => interval && interval.low <= 0);
  const hasBare = dots.some(({ interval }) => !interval) && dots.some(({ interval }) => interval);
  return [
    `${caption}${bandName ? `, with its ${bandName}` : ''}`,
    ...(bare.length > 0 ? [`No band where the CI is very wide: ${listOf(bare.map(({ label }) => label))}`] : []),
    ...(hasArrow ? ['Arrow: the interval reaches 0'] : []),
    ...(hasBare ? ['Without a line: no CI'] : []),
  ].join('. ');
}

/** Ends that say nothing would press all lines together, or their band would fill the picture. @param {Line} line */
const hasWideBand = ({ band = [] }) => band.some((one) => one && isVeryWide(one));

/** @param {Line} line @returns {NonNullable<Line['band']>} as far as it is drawn */
const bandOf = (line) => (hasWideBand(line) ? [] : (line.band ?? []));

/**
 * Returns what is drawn of a line and its band, for which the axis must have room.
 * @param {Line} line @returns {(number | null)[]}
 */
export const heightsOf = (line) => [...line.values, ...bandOf(line).flatMap((one) => (one ? [one.low, one.high] : []))];

/**
 * @param {Plot} chart @param {Size} size @returns {SvgNode}
 */
export function drawPlot(chart, { width, height }) {
  const isNamed = hasNames(chart, { width, height });
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

/** @param {Plot} chart @param {Size} size @returns {Frame} */
function createFrame(chart, { width, height }) {
  const { x, y, values, lines } = chart;
  const [left, right] = [MARGIN.left, width - MARGIN.right];
  const { top, bottom } = edgesOf(chart, height);
  const ys = lines.flatMap(heightsOf);
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
function drawBand(one, { values }, { x, y }) {
  const known = bandOf(one).flatMap((interval, i) => (interval ? [{ ...interval, at: x.place(values[i]) }] : []));
  const edge = [
    ...known.map(({ at, high }) => `${round(at)},${round(y.place(high))}`),
    ...known.map(({ at, low }) => `${round(at)},${round(y.place(low))}`).reverse(),
  ];
  const fill = `var(--${one.colour})`;
  return known.length > 0 ? [node('polygon', { class: 'band', points: edge.join(' '), fill })] : [];
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
    const beside = { x: at + (isLeft ? -GAP_PX : GAP_PX), y: top + LINE_PX / 2 };
    return [
      line('same-from', { x: at, y: top }, { x: at, y: bottom }),
      text(label, beside, isLeft ? 'end' : 'start', { class: 'tick over' }),
    ];
  });
}

/**
 * Names each line at its own last point.
 * @param {Plot} chart @param {Frame} frame @returns {SvgNode[]}
 */
function drawNames(chart, frame) {
  const named = chart.lines.flatMap((one) => {
    const points = pointsOf(one, chart, frame).flatMap((point) => point ?? []);
    const end = points.at(-1);
    return end ? [{ label: one.label, colour: one.colour, points, end }] : [];
  });
  const right = Math.max(...named.map(({ end }) => end.x));
  const isShort = (/** @type {Named} */ { end }) => end.x < right - COLUMN_PX;
  const column = named
    .filter((one) => !isShort(one))
    .map((one) => boxAt(one, { x: right, y: one.end.y }))
    .sort((a, b) => a.y - b.y);
  spread(column, frame);
  const obstacles = named.flatMap(({ points }) => trace(points));
  const boxes = named
    .filter(isShort)
    .reduce((taken, one) => [...taken, placeBeside(one, { frame, obstacles, taken })], column);
  return boxes.map(({ label, colour, x, y }) => text(label, { x, y }, 'start', { fill: `var(--${colour})` }));
}

/** @param {Named} line @param {Point} at where it ends @returns {NameBox} */
const boxAt = ({ label, colour }, { x, y }) => ({
  ...{ label, colour, y },
  ...{ x: x + GAP_PX, width: widthOf(label), half: LINE_PX / 2 },
});

/**
 * Places the name of a line that ends before the others: near its end, where it covers least of them.
 * @param {Named} line @param {{ frame: Frame, obstacles: readonly Point[], taken: readonly NameBox[] }} place
 */
function placeBeside(line, { frame: { top, bottom }, obstacles, taken }) {
  const { x, y } = line.end;
  const steps = Array.from({ length: Math.ceil((2 * (bottom - top)) / LINE_PX) }, (_, i) => (i * LINE_PX) / 2);
  const candidates = [...new Set(steps.flatMap((step) => [y - step, y + step]))]
    .filter((at) => at >= top && at <= bottom)
    .map((at) => ({ ...boxAt(line, { x, y: at }), cost: (ROW_COST * Math.abs(at - y)) / LINE_PX }));
  return placeLabel({ candidates, obstacles, taken }) ?? boxAt(line, line.end);
}

/** @param {readonly Point[]} points @returns {Point[]} of the straight lines between them, too */
function trace(points) {
  return points.flatMap((to, i) => {
    const from = points[i - 1] ?? to;
    const count = Math.max(1, Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / TRACE_PX));
    const shares = Array.from({ length: count }, (_, step) => (step + 1) / count);
    return shares.map((share) => ({ x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y) }));
  });
}

/**
 * Moves overlapping rows apart within a frame that has room for them: downwards first, and up again from the bottom.
 * @param {{ y: number }[]} rows from top to bottom @param {Frame} frame
 */
function spread(rows, { top, bottom }) {
  let least = top;
  for (const row of rows) {
    row.y = Math.max(row.y, least);
    least = row.y + LINE_PX;
  }
  let limit = bottom;
  for (const row of rows.toReversed()) {
    row.y = Math.min(row.y, limit);
    limit = row.y - LINE_PX;
  }
}
