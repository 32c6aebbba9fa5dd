/** Places the names of a picture's dots and curves, so that they cover neither each other nor what they name. */
import { HALF_HEIGHT_PX, line, node, placeLabel, round, text, widthOf } from '../base/svg.js';
import { clamp, DOT_PX, marksIn, spanOf } from './picture-frame.js';

/**
 * @import { Box, Candidate, Point, SvgNode } from '../base/svg.js'
 * @import { Dot } from './contract.js'
 * @import { Curve, Drawn, Frame } from './picture-frame.js'
 * @typedef {Candidate & { lines: readonly string[] }} Place
 */

/** The distance between a label and the next one above or below. */
const LINE_PX = 22;

/**
 * Draws the names for which there is room; the table beside the chart has all.
 * @param {Drawn} chart @param {readonly Curve[]} curves @param {Frame} frame @returns {SvgNode[]}
 */
export function drawNames(chart, curves, frame) {
  const { dots = [] } = chart;
  const obstacles = obstaclesIn(chart, curves, frame);
  const marks = dots.flatMap((dot) => pointsOn(dot, frame));
  /** @type {Box[]} */
  const taken = [];
  /** @param {string} words @param {readonly Point[]} near */
  const place = (words, near) => {
    const candidates = variantsOf(words, frame).flatMap((lines, i) => candidatesOf(lines, i, near, frame));
    const chosen = placeLabel({ candidates, obstacles, marks, taken });
    if (chosen) taken.push(chosen);
    return chosen;
  };
  return [
    // The longest ones are the hardest to place.
    ...dots.toSorted(byLength).flatMap(({ label, colour, x, y }) => {
      const dot = { x: frame.x(x), y: frame.y(y) };
      const placed = place(label, [dot]);
      if (!placed) return [];
      const leader = leaderTo(placed, dot);
      obstacles.push(...leader.flatMap(([from, to]) => between(from, to)));
      // If there are curves, their names have the colours, and those of dots do not.
      const name = drawName(placed, curves.length > 0 ? 'chart-text' : colour);
      return [...leader.map(([from, to]) => line('leader', from, to)), name];
    }),
    ...curves.flatMap(({ label, colour, points }) => {
      const placed = place(label, points.filter(isLabelled));
      return placed ? [drawName(placed, colour)] : [];
    }),
  ];
}

/** @param {Dot} a @param {Dot} b */
const byLength = (a, b) => b.label.length - a.label.length;

/**
 * Lists how a name can be broken: not at all, if it fits; and into two lines.
 * @param {string} words @param {Frame} frame @returns {(readonly string[])[]}
 */
function variantsOf(words, { left, right }) {
  const middle = words.length / 2;
  const spaces = [...words.matchAll(/ /g)].map(({ index }) => index);
  if (spaces.length === 0) return [[words]];
  const at = spaces.reduce((best, one) => (Math.abs(one - middle) < Math.abs(best - middle) ? one : best));
  const broken = [words.slice(0, at), words.slice(at + 1)];
  return widthOf(words) > right - left ? [broken] : [[words], broken];
}

/** @param {Place} placed @param {string} colour */
function drawName({ x, y, half, lines }, colour) {
  const style = { class: 'name', fill: `var(--${colour})` };
  const first = y - half + HALF_HEIGHT_PX;
  if (lines.length === 1) return text(lines[0], { x, y: first }, 'start', style);
  const spans = lines.map((words, i) =>
    node('tspan', { x: round(x), y: round(first + 2 * i * HALF_HEIGHT_PX) }, words),
  );
  return node('text', { ...style, 'text-anchor': 'start' }, ...spans);
}

/**
 * Checks whether a curve's point can have the label beside it, in the left half.
 * @param {Point} _ @param {number} index @param {readonly Point[]} points
 */
const isLabelled = (_, index, points) => index < points.length / 2 && index % 4 === 0;

/**
 * Returns the line from a dot to a label that is not beside it.
 * @param {Box} label @param {Point} dot @returns {[from: Point, to: Point][]}
 */
function leaderTo({ x, y, width, half }, dot) {
  if (Math.abs(y - dot.y) < LINE_PX + half - HALF_HEIGHT_PX) return [];
  return [[dot, { x: clamp(dot.x, x, x + width), y: y + (y < dot.y ? half : -half) }]];
}

/** @param {Drawn} chart @param {readonly Curve[]} curves @param {Frame} frame @returns {Point[]} what names had better not cover */
function obstaclesIn(chart, curves, frame) {
  const { x, top, bottom } = frame;
  return [
    ...curves.flatMap(({ points, band }) => [...points, ...band]),
    ...marksIn(chart, frame).flatMap((mark) => between({ x: x(mark.x), y: top }, { x: x(mark.x), y: bottom })),
  ];
}

/** @param {Dot} dot @param {Frame} frame @returns {Point[]} on the dot, and along its interval */
function pointsOn(dot, { x, y }) {
  const [low, middle, high] = spanOf(dot).map((value) => ({ x: x(dot.x), y: y(value) }));
  const edges = [-DOT_PX, DOT_PX].map((px) => ({ x: middle.x, y: middle.y + px }));
  return [middle, ...edges, ...between(low, high)];
}

/** The distance of points along a line: less than a label is high. */
const STEP_PX = HALF_HEIGHT_PX;

/** @param {Point} from @param {Point} to @returns {Point[]} along the line */
function between(from, to) {
  const count = 1 + Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / STEP_PX);
  return Array.from({ length: count + 1 }, (_, i) => ({
    x: from.x + ((to.x - from.x) * i) / count,
    y: from.y + ((to.y - from.y) * i) / count,
  }));
}

/** The cost of a place that needs a leader, and of each line between: a name away from its dot is harder to read. */
const AWAY_COST = 4;

/**
 * @param {readonly string[]} lines of the name @param {number} extra the cost of a variant that is second best
 * @param {readonly Point[]} points @param {Frame} frame @returns {Place[]} best first
 */
function candidatesOf(lines, extra, points, { left, right, top, bottom, width, height }) {
  const long = Math.max(...lines.map(widthOf));
  const half = lines.length * HALF_HEIGHT_PX;
  const before = -long - 12;
  const more = half - HALF_HEIGHT_PX;
  // Only a dot has a leader, and only one point.
  const count = points.length > 1 ? 2 : Math.ceil((2 * height) / LINE_PX);
  const farther = Array.from({ length: 2 * count }, (_, i) => ({
    dy: (i % 2 ? -1 : 1) * ((1.5 + Math.floor(i / 2) / 2) * LINE_PX + more),
    cost: AWAY_COST + Math.floor(i / 2),
  }));
  // At last beside either edge of the picture.
  const dxs = [12, before, -long / 2, -width, width];
  return points
    .flatMap(({ x, y }) => [
      { x: x + 12, y: y - 12 - more, cost: 0 },
      { x: x + 12, y: y + 14 + more, cost: 0 },
      { x: x + 14, y, cost: 0 },
      { x: x + before, y: y + 14 + more, cost: 0 },
      { x: x + before, y: y - 12 - more, cost: 0 },
      ...farther.flatMap(({ dy, cost }) => dxs.map((dx) => ({ x: x + dx, y: y + dy, cost }))),
    ])
    .map(({ x, y, cost }) => ({
      ...{ lines, width: long, half, cost: cost + extra },
      // A name that is longer than the axis begins farther left.
      x: clamp(x, Math.min(left + 2, width - long), right - long),
      y: clamp(y, top + half - 1, bottom - half + 1),
    }));
}
