/** Draws a chart over two logarithmic axes: curves with their bands, dots with their intervals, and all their names. */
import { HALF_HEIGHT_PX, line, logScale, logTicks, node, placeLabel, round, text, widthOf } from '../base/svg.js';

/**
 * @import { Box, Point, SvgNode } from '../base/svg.js'
 * @import { Axis, Chart, Dot } from './contract.js'
 * @typedef {Omit<Chart, 'caption'>} Drawn
 * @typedef {ReturnType<typeof createFrame>} Frame
 * @typedef {{ label: string, colour: string, points: readonly Point[], band: readonly Point[] }} Curve as the picture
 *   has it; `band`: its upper edge, and its lower one back to the start
 */

const MARGIN = { top: 44, right: 16, bottom: 44, left: 52 };
/** Of an axis without a title: what stands beneath the picture has it. */
const BOTTOM_WITHOUT_TITLE = 22;
const DOT_PX = 6;
/** The distance between a label and the next one above or below. */
const LINE_PX = 22;
/** The minimum of an axis, as 0 has no logarithm. */
const MIN = 0.1;
/** The factor between a dot and the edge. */
const ROOM = 1.5;
/** The ticks within a factor of 10; the first list that gives enough ticks is used. */
const FEW_TICKS = [[1], [1, 3], [1, 2, 5]];
/** The ratio of an axis's ends above which it has few ticks. */
const LONG = 100;

/**
 * @param {Drawn} chart
 * @param {{ width: number, height: number, askedX?: number }} options sizes in CSS pixels; `askedX`: that is asked
 *   about
 * @returns {SvgNode}
 */
export function drawPicture(chart, { width, height, askedX }) {
  const frame = createFrame(chart, { width, height });
  const { x, y, top, bottom } = frame;
  const dots = chart.dots ?? [];
  const curves = curvesOf(chart, frame);
  const asked = askedX === undefined ? [] : [x(askedX)];
  return node(
    'svg',
    { class: 'curves', viewBox: `0 0 ${width} ${height}`, width, height, 'aria-hidden': 'true' },
    ...drawAxes(chart, frame),
    ...curves.filter(({ band }) => band.length > 0).map(drawBand),
    ...marksIn(chart, frame).flatMap((mark) => drawMark(mark, frame)),
    ...curves.map(drawCurve),
    ...asked.map((at) => line('asked', { x: at, y: top }, { x: at, y: bottom })),
    ...dots.flatMap((dot) => drawDot(dot, { x, y })),
    ...drawNames(chart, curves, frame),
  );
}

/** @param {Drawn} chart @param {{ width: number, height: number }} size */
function createFrame({ x, y, values, lines, dots = [] }, { width, height }) {
  const below = x.title ? MARGIN.bottom : BOTTOM_WITHOUT_TITLE;
  const [left, right, top, bottom] = [MARGIN.left, width - MARGIN.right, MARGIN.top, height - below];
  const ys = [...lines.flatMap((one) => one.values), ...dots.flatMap(spanOf)];
  const [xDomain, yDomain] = [domainOf(x, [...values, ...dots.map((dot) => dot.x)]), domainOf(y, ys)];
  return {
    ...{ width, height, left, right, top, bottom, xDomain, yDomain },
    x: logScale(xDomain, [left, right]),
    y: logScale(yDomain, [bottom, top]),
  };
}

/** @param {Dot} dot @returns {number[]} low, in the middle, high */
const spanOf = ({ y, interval }) => [interval?.low ?? y, y, interval?.high ?? y];

/** @param {Axis} axis @param {readonly (number | null)[]} values */
function domainOf({ range }, values) {
  if (range) return { low: Math.max(MIN ** 3, range[0]), high: range[1] };
  const known = values.map((value) => Math.max(MIN, value ?? 1));
  return { low: Math.min(...known, 1) / ROOM, high: Math.max(...known, 1) * ROOM };
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
    text(yAxis.title, { x: 0, y: 14 }, 'start'),
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

/** @param {Drawn} chart @param {Frame} frame */
const marksIn = ({ marks = [] }, { xDomain: { low, high } }) => marks.filter(({ x }) => x >= low && x <= high);

/** @param {{ x: number, label: string }} mark @param {Frame} frame @returns {SvgNode[]} */
function drawMark({ x: value, label }, { x, width, top, bottom }) {
  const at = x(value);
  const half = widthOf(label) / 2;
  return [
    line('same-from', { x: at, y: top }, { x: at, y: bottom }),
    text(label, { x: clamp(at, half, width - half), y: top - 10 }, 'middle'),
  ];
}

/** @param {Dot} dot @param {Pick<Frame, 'x' | 'y'>} scales @returns {SvgNode[]} */
function drawDot(dot, { x, y }) {
  const colour = `var(--${dot.colour})`;
  const [low, middle, high] = spanOf(dot).map((value) => ({ x: x(dot.x), y: y(value) }));
  return [
    line('whisker', low, high, { stroke: colour }),
    node('circle', { cx: round(middle.x), cy: round(middle.y), r: DOT_PX, fill: colour }),
  ];
}

/**
 * Draws the names for which there is room; the table beside the chart has all.
 * @param {Drawn} chart @param {readonly Curve[]} curves @param {Frame} frame @returns {SvgNode[]}
 */
function drawNames(chart, curves, frame) {
  const obstacles = obstaclesIn(chart, curves, frame);
  /** @type {Box[]} */
  const taken = [];
  /** @param {string} words @param {readonly Point[]} near @param {string} colour */
  const place = (words, near, colour) => {
    const candidates = candidatesAround(words, near, frame);
    const at = placeLabel({ text: words, candidates, obstacles, taken });
    if (!at) return undefined;
    const box = { ...at, width: widthOf(words) };
    taken.push(box);
    return { box, name: text(words, at, 'start', { class: 'name', fill: `var(--${colour})` }) };
  };
  return [
    ...(chart.dots ?? []).flatMap(({ label, colour, x, y }) => {
      const dot = { x: frame.x(x), y: frame.y(y) };
      // If there are curves, their names have the colours, and those of dots do not.
      const placed = place(label, [dot], curves.length > 0 ? 'chart-text' : colour);
      return placed ? [...leaderTo(placed.box, dot), placed.name] : [];
    }),
    ...curves.flatMap(({ label, colour, points }) => place(label, points.filter(isLabelled), colour)?.name ?? []),
  ];
}

/**
 * Checks whether a curve's point can have the label beside it, in the left half.
 * @param {Point} _ @param {number} index @param {readonly Point[]} points
 */
const isLabelled = (_, index, points) => index < points.length / 2 && index % 4 === 0;

/**
 * Draws a line from a dot to a label that is not beside it.
 * @param {Box} label @param {Point} dot @returns {SvgNode[]}
 */
function leaderTo({ x, y, width }, dot) {
  if (Math.abs(y - dot.y) < LINE_PX) return [];
  const end = { x: clamp(dot.x, x, x + width), y: y + (y < dot.y ? HALF_HEIGHT_PX : -HALF_HEIGHT_PX) };
  return [line('leader', dot, end)];
}

/** @param {Drawn} chart @param {readonly Curve[]} curves @param {Frame} frame @returns {Point[]} */
function obstaclesIn(chart, curves, frame) {
  const { x, y, top, bottom } = frame;
  return [
    ...curves.flatMap(({ points, band }) => [...points, ...band]),
    ...marksIn(chart, frame).flatMap((mark) =>
      Array.from({ length: 10 }, (_, i) => ({ x: x(mark.x), y: top + ((bottom - top) * i) / 9 })),
    ),
    ...(chart.dots ?? []).flatMap((dot) => spanOf(dot).map((value) => ({ x: x(dot.x), y: y(value) }))),
  ];
}

/** @param {string} words @param {readonly Point[]} points @param {Frame} frame @returns {Point[]} best first */
function candidatesAround(words, points, { left, right, top, bottom, width, height }) {
  const long = widthOf(words);
  const before = -long - 12;
  const lines = Math.ceil(height / LINE_PX);
  const farther = Array.from({ length: 2 * lines }, (_, i) => (i % 2 ? -1 : 1) * (1.5 + Math.floor(i / 2)) * LINE_PX);
  return points
    .flatMap(({ x, y }) => [
      { x: x + 12, y: y - 12 },
      { x: x + 12, y: y + 14 },
      { x: x + 14, y },
      { x: x + before, y: y + 14 },
      { x: x + before, y: y - 12 },
      ...farther.flatMap((dy) => [12, before].map((dx) => ({ x: x + dx, y: y + dy }))),
    ])
    .map(({ x, y }) => ({
      // A name that is longer than the axis begins farther left.
      x: clamp(x, Math.min(left + 2, width - long), right - long),
      y: clamp(y, top + 8, bottom - 8),
    }));
}

/** @param {number} value @param {number} low @param {number} high */
const clamp = (value, low, high) => Math.max(low, Math.min(high, value));
