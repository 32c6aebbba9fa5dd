/** Draws a chart over two logarithmic axes: curves with their bands, dots with their intervals, and all their names. */
import { clamp, line, logTicks, node, round, text, widthOf } from './svg.js';
import { createFrame, DOT_PX, LONG, marksIn, spanOf } from './log-chart-frame.js';
import { drawNames } from './log-chart-names.js';

/**
 * @import { Point, SvgNode } from './svg.js'
 * @import { Dot } from './plot.js'
 * @import { Curve, Drawn, Frame } from './log-chart-frame.js'
 */

/** The ticks within a factor of 10; the first list that gives enough ticks is used. */
const FEW_TICKS = [[1], [1, 3], [1, 2, 5]];

/**
 * @param {Drawn} chart
 * @param {{ width: number, height: number, askedX?: number }} options sizes in CSS pixels; `askedX`: that is asked
 *   about
 * @returns {SvgNode}
 */
export function drawLogChart(chart, { width, height, askedX }) {
  const frame = createFrame(chart, { width, height });
  const { x, top, bottom } = frame;
  const dots = chart.dots ?? [];
  const curves = curvesOf(chart, frame);
  const asked = askedX === undefined ? [] : [x(askedX)];
  const { names, below } = drawNames(chart, curves, frame);
  const size = { viewBox: `0 0 ${width} ${height + below}`, width, height: height + below };
  return node(
    'svg',
    { class: 'curves', ...size, 'aria-hidden': 'true' },
    ...drawAxes(chart, frame),
    ...curves.filter(({ band }) => band.length > 0).map(drawBand),
    ...marksIn(chart, frame).flatMap((mark) => drawMark(mark, frame)),
    ...curves.map(drawCurve),
    ...asked.map((at) => line('asked', { x: at, y: top }, { x: at, y: bottom })),
    ...dots.flatMap((dot) => drawDot(dot, frame)),
    ...names,
  );
}

/** @param {Drawn} chart @param {Frame} frame @returns {SvgNode[]} */
function drawAxes({ x: xAxis, y: yAxis, same }, { left, right, bottom, height, xDomain, yDomain, x, y }) {
  const [formatX, formatY] = [xAxis.format ?? String, yAxis.format ?? String];
  const area = same && { y: round(y(same.high)), height: round(y(same.low) - y(same.high)) };
  return [
    ...(area ? [node('rect', { class: 'same', x: left, width: right - left, ...area })] : []),
    ...logTicks(yDomain, yDomain.high / yDomain.low > LONG ? FEW_TICKS : undefined).flatMap((tick) => [
      line('grid', { x: left, y: y(tick) }, { x: right, y: y(tick) }),
      text(formatY(tick), { x: left - 8, y: y(tick) }, 'end'),
    ]),
    ...logTicks(xDomain, FEW_TICKS).map((tick) => text(formatX(tick), { x: x(tick), y: bottom + 14 }, 'middle')),
    ...(xAxis.title ? [text(xAxis.title, { x: (left + right) / 2, y: height - 10 }, 'middle')] : []),
    ...(yAxis.title ? [text(yAxis.title, { x: 0, y: 14 }, 'start')] : []),
  ];
}

/** @param {Drawn} chart @param {Frame} frame @returns {Curve[]} */
function curvesOf({ values, lines }, { x, y }) {
  /** @param {readonly (number | null | undefined)[]} along @returns {Point[]} */
  const pointsOf = (along) =>
    along.flatMap((value, i) => (typeof value === 'number' ? [{ x: x(values[i]), y: y(value) }] : []));
  return lines.map(({ label, colour, values: own, band = [] }) => ({
    label,
    colour,
    points: pointsOf(own),
    band: [...pointsOf(band.map((one) => one?.high)), ...pointsOf(band.map((one) => one?.low)).reverse()],
  }));
}

/** @param {readonly Point[]} points */
const join = (points) => points.map(({ x, y }) => `${round(x)},${round(y)}`).join(' ');

/** @param {Curve} curve */
const drawBand = ({ band, colour }) => node('polygon', { class: 'band', points: join(band), fill: `var(--${colour})` });

/** Draws a curve; the first one is the main one. @param {Curve} curve @param {number} index */
const drawCurve = ({ points, colour }, index) =>
  node('polyline', { points: join(points), class: index === 0 ? 'curve' : 'curve other', stroke: `var(--${colour})` });

/** @param {{ x: number, label: string }} mark @param {Frame} frame @returns {SvgNode[]} */
function drawMark({ x: value, label }, { x, width, top, bottom }) {
  const at = x(value);
  const half = Math.ceil(widthOf(label) / 2);
  return [
    line('same-from', { x: at, y: top }, { x: at, y: bottom }),
    text(label, { x: clamp(at, half, width - half), y: top - 10 }, 'middle'),
  ];
}

/**
 * Draws a dot with its interval; an arrow where that goes on below the axis, which has no 0.
 * @param {Dot} dot @param {Frame} frame @returns {SvgNode[]}
 */
function drawDot(dot, { x, y, yDomain }) {
  const colour = `var(--${dot.colour})`;
  const span = spanOf(dot);
  const [low, middle, high] = span.map((value) => ({ x: x(dot.x), y: y(value) }));
  const arrow = [
    { x: low.x - DOT_PX, y: low.y - DOT_PX },
    { x: low.x + DOT_PX, y: low.y - DOT_PX },
    { x: low.x, y: low.y + DOT_PX / 2 },
  ];
  return [
    line('whisker', low, high, { stroke: colour }),
    ...(span[0] < yDomain.low ? [node('polygon', { class: 'goes-on', points: join(arrow), fill: colour })] : []),
    node('circle', { cx: round(middle.x), cy: round(middle.y), r: DOT_PX, fill: colour }),
  ];
}
