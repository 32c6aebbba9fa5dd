/** Places the names of a picture's dots and curves, so that they cover neither each other nor what they name. */
import { cut } from '../base/format.js';
import { clamp, HALF_HEIGHT_PX, line, node, placeLabel, round, textOfLines, widthOf } from './svg.js';
import { DOT_PX, marksIn, spanOf } from './log-chart-frame.js';

/**
 * @import { Box, Candidate, Point, SvgNode } from './svg.js'
 * @import { Dot } from './plot.js'
 * @import { Curve, Drawn, Frame } from './log-chart-frame.js'
 * @typedef {Candidate & { lines: readonly string[] }} Place
 */

/** The distance between a label and the next one above or below. */
const LINE_PX = 22;

/**
 * Draws the names beside what they name; those of dots for which there is no room stand beneath the picture.
 * @param {Drawn} chart @param {readonly Curve[]} curves @param {Frame} frame @returns {{ names: SvgNode[], below: number }} `below`: what they
 *   need there, in px
 */
export function drawNames(chart, curves, frame) {
  const { dots = [] } = chart;
  const picture = {
    frame,
    marks: dots.flatMap((dot) => pointsOn(dot, frame)),
    fixed: obstaclesIn(chart, curves, frame),
  };
  const orders = dots.length > MAX_TRIED ? [byLength] : ORDERS;
  const tried = orders.map((order) => placeDots(dots.toSorted(order), picture));
  const { placed, unplaced, obstacles } = tried.reduce((best, one) => (one.cost < best.cost ? one : best));
  const taken = placed.map(({ label }) => label);
  const ofDots = placed.flatMap(({ dot, label, leader }) => [
    ...leader.map(([from, to]) => line('leader', from, to)),
    // If there are curves, their names have the colours, and those of dots do not.
    drawName(label, curves.length > 0 ? 'chart-text' : dot.colour),
  ]);
  const ofCurves = curves.flatMap(({ label, colour, points }) => {
    const candidates = candidatesFor(label, points.filter(isLabelled), frame);
    const own = placeLabel({ candidates, obstacles, marks: picture.marks, taken });
    if (own) taken.push(own);
    return own ? [drawName(own, colour)] : [];
  });
  const { drawn, below } = drawBelow(unplaced, frame);
  return { names: [...ofDots, ...ofCurves, ...drawn], below };
}

/** Of more dots, other orders would take long. */
const MAX_TRIED = 6;
/** What a name costs for which there is no room: more than any place. */
const UNPLACED_COST = 1000;

/** @type {((a: Dot, b: Dot) => number)[]} */
const ORDERS = [byLength, (a, b) => b.x - a.x];

/**
 * Places the names of dots, one after the other.
 * @param {readonly Dot[]} dots @param {{ frame: Frame, marks: readonly Point[], fixed: readonly Point[] }} picture `fixed`: its obstacles
 */
function placeDots(dots, { frame, marks, fixed }) {
  const obstacles = [...fixed];
  /** @type {{ dot: Dot, label: Place, leader: [from: Point, to: Point][] }[]} */
  const placed = [];
  /** @type {Dot[]} */
  const unplaced = [];
  let cost = 0;
  for (const dot of dots) {
    const at = { x: frame.x(dot.x), y: frame.y(dot.y) };
    const pointsTo = (/** @type {Box} */ label) => leaderTo(label, at).flatMap(([from, to]) => between(from, to));
    const candidates = candidatesFor(dot.label, [at], frame);
    const taken = placed.map((one) => one.label);
    const label = placeLabel({ candidates, obstacles, marks, taken, leaderOf: pointsTo });
    cost += label?.cost ?? UNPLACED_COST;
    if (label) placed.push({ dot, label, leader: leaderTo(label, at) });
    else unplaced.push(dot);
    if (label) obstacles.push(...pointsTo(label));
  }
  return { placed, unplaced, obstacles, cost };
}

/** @param {string} words @param {readonly Point[]} near @param {Frame} frame */
const candidatesFor = (words, near, frame) =>
  variantsOf(words, frame).flatMap((lines, i) => candidatesOf(lines, i, near, frame));

/** @param {readonly Dot[]} dots without room beside them @param {Frame} frame */
function drawBelow(dots, { width, height }) {
  const x = 3 * DOT_PX;
  let below = 0;
  const drawn = dots.flatMap(({ label, colour }) => {
    const lines = (mostWidthOf(label) > width - x ? breakInTwo(label) : [label]).map((words) => fit(words, width - x));
    const half = lines.length * HALF_HEIGHT_PX;
    const y = height + below + half;
    below += 2 * half;
    const dot = { cx: DOT_PX, cy: round(y - half + HALF_HEIGHT_PX), r: DOT_PX, fill: `var(--${colour})` };
    return [node('circle', dot), drawName({ x, y, half, lines }, colour)];
  });
  return { drawn, below };
}

/** The longest ones are the hardest to place. @param {Dot} a @param {Dot} b */
function byLength(a, b) {
  return b.label.length - a.label.length;
}

/**
 * Lists how a name can be broken: not at all, if it fits; and into two lines, none wider than the axis.
 * @param {string} words @param {Frame} frame @returns {(readonly string[])[]}
 */
function variantsOf(words, { left, right }) {
  const broken = breakInTwo(words).map((one) => fit(one, right - left - 2));
  if (broken.length === 1) return [broken];
  return mostWidthOf(words) > right - left - 2 ? [broken] : [[words], broken];
}

/** The widest capitals are wider by that than the mean letter, px. */
const WIDER_PX = 7;

/** @param {string} words @returns {number} how wide they are at most, in px */
const mostWidthOf = (words) => widthOf(words) + WIDER_PX * (words.match(/[MW](?![a-z])/g)?.length ?? 0);

/** @param {string} words @param {number} px that they have room for @returns {string} cut at their end, if they need more */
function fit(words, px) {
  let length = words.length;
  while (length > 1 && mostWidthOf(cut(words, length)) > px) length--;
  return cut(words, length);
}

/**
 * @param {string} words @returns {string[]} lines of about the same length; one if there is no space, besides those
 *   between a figure and its unit
 */
function breakInTwo(words) {
  const middle = words.length / 2;
  const spaces = [...words.matchAll(/(?<!\d) /g)].map(({ index }) => index);
  if (spaces.length === 0) return [words];
  const at = spaces.reduce((best, one) => (Math.abs(one - middle) < Math.abs(best - middle) ? one : best));
  return [words.slice(0, at), words.slice(at + 1)];
}

/** @param {{ x: number, y: number, half: number, lines: readonly string[] }} placed @param {string} colour */
function drawName({ x, y, half, lines }, colour) {
  const style = { class: 'name', fill: `var(--${colour})` };
  return textOfLines(lines, { x, y: y - half + HALF_HEIGHT_PX }, style);
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

/**
 * @param {Drawn} chart @param {readonly Curve[]} curves @param {Frame} frame @returns {Point[]} what names had better not cover
 */
function obstaclesIn(chart, curves, frame) {
  const { x, top, bottom } = frame;
  return [
    // A curve through a name is worse than an edge of its band.
    ...curves.flatMap(({ points, band }) => [...points, ...points, ...points, ...band]),
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

/** The cost of a place that needs a leader, besides its length: a name away from its dot is harder to read. */
const AWAY_COST = 4;

/**
 * @param {readonly string[]} lines of the name @param {number} extra the cost of a variant that is second best
 * @param {readonly Point[]} points @param {Frame} frame @returns {Place[]} best first
 */
function candidatesOf(lines, extra, points, { left, right, top, bottom, width, height }) {
  const long = Math.max(...lines.map(mostWidthOf));
  const half = lines.length * HALF_HEIGHT_PX;
  const before = -long - 12;
  const more = half - HALF_HEIGHT_PX;
  // Only a dot has a leader, and only one point.
  const count = points.length > 1 ? 2 : Math.ceil((2 * height) / LINE_PX);
  const farther = Array.from(
    { length: 2 * count },
    (_, i) => (i % 2 ? -1 : 1) * ((1.5 + Math.floor(i / 2) / 2) * LINE_PX + more),
  );
  // At last beside either edge of the picture.
  const dxs = [12, before, -long / 2, -width, width];
  const beside = [
    [12, -12 - more],
    [12, 14 + more],
    [14, 0],
    [before, 14 + more],
    [before, -12 - more],
  ];
  const away = farther.flatMap((dy) => dxs.map((dx) => [dx, dy]));
  /** @param {Point} near @param {boolean} isAway @returns {(by: number[]) => Place} */
  const placeBy =
    (near, isAway) =>
    ([dx, dy]) => {
      const x = clamp(near.x + dx, left + 2, right - long);
      const y = clamp(near.y + dy, top + half - 1, bottom - half + 1);
      const box = { lines, width: long, half, x, y, cost: extra };
      if (isAway) box.cost += AWAY_COST + distanceTo(box, near) / HALF_HEIGHT_PX;
      return box;
    };
  return points.flatMap((near) => [...beside.map(placeBy(near, false)), ...away.map(placeBy(near, true))]);
}

/** @param {Box} label @param {Point} point */
const distanceTo = ({ x, y, width, half }, point) =>
  Math.hypot(Math.max(0, x - point.x, point.x - x - width), Math.max(0, Math.abs(y - point.y) - half));
