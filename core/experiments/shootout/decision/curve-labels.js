/** Names beside the lines and the dots of the decision's picture, where nothing else is. */
import { findSameDistanceMs, predictSpeedRatio } from './distance-model.js';
import { labelOf } from '../../../net/labels.js';
import { line, MARGIN, text } from './curve-frame.js';

/**
 * @import { Dot } from './curve-chart.js'
 * @import { Frame, Point } from './curve-frame.js'
 * @import { DistanceModel } from './distance-model.js'
 * @import { SvgNode } from './svg.js'
 */

/** Of the page's font at 14 px, a little more than its letters take on average. */
const LETTER_PX = 7.8;
const HALF_HEIGHT_PX = 9;
/** An obstacle this near to a label's edge is in its way. */
const GAP_PX = 6;
/** From one label to the next one above or below. */
const LINE_PX = 22;

/**
 * @typedef {object} Curve
 * @property {DistanceModel} model
 * @property {readonly Point[]} points
 */

/** @param {{ curves: readonly Curve[], dots: readonly Dot[], frame: Frame }} picture @returns {SvgNode[]} */
export function drawLabels({ curves, dots, frame }) {
  const obstacles = obstaclesIn({ curves, dots, frame });
  /** @type {Box[]} */
  const taken = [];
  /** @param {string} words @param {readonly Point[]} near @param {string} colour */
  const place = (words, near, colour) => {
    const candidates = candidatesAround(words, near, frame);
    const at = placeLabel({ text: words, candidates, obstacles, taken });
    taken.push({ ...at, width: widthOf(words) });
    return text(words, at, 'start', { class: 'name', fill: `var(${colour})` });
  };
  return [
    ...dots.flatMap(({ name, floorMs, speedRatio }) => {
      const dot = { x: frame.x(floorMs), y: frame.y(speedRatio.estimate) };
      const label = place(name, [dot], '--chart-text');
      return [...leaderTo(taken[taken.length - 1], dot), label];
    }),
    ...curves.map(({ model: { transport }, points }) =>
      place(labelOf(transport), points.slice(0, points.length / 2), `--${transport}`),
    ),
  ];
}

/** @typedef {Point & { width: number }} Box a label; `x` is its left edge, `y` its middle */

/** A line from a dot to a label that is not beside it. @param {Box} label @param {Point} dot @returns {SvgNode[]} */
function leaderTo({ x, y, width }, dot) {
  if (Math.abs(y - dot.y) < LINE_PX) return [];
  const end = { x: Math.max(x, Math.min(x + width, dot.x)), y: y + (y < dot.y ? HALF_HEIGHT_PX : -HALF_HEIGHT_PX) };
  return [line('leader', dot, end)];
}

/** The lines, the band's edges, the end of the difference, the dots. @param {Parameters<typeof drawLabels>[0]} picture */
function obstaclesIn({ curves, dots, frame: { x, y, steps } }) {
  const [{ model }] = curves;
  /** @param {number} ms @param {readonly number[]} ratios @returns {Point[]} */
  const at = (ms, ratios) => ratios.map((ratio) => ({ x: x(ms), y: y(ratio) }));
  return [
    ...curves.flatMap(({ points }) => points),
    ...steps.flatMap((ms) => {
      const { low, high } = predictSpeedRatio(model, ms);
      return at(ms, [low, high]);
    }),
    ...at(findSameDistanceMs(model), [1, 1.1, 1.2, 1.3, 1.5, 2, 3, 5, 8]),
    ...dots.flatMap(({ floorMs, speedRatio: { low, estimate, high } }) => at(floorMs, [low, estimate, high])),
  ];
}

/**
 * @param {string} words @param {readonly Point[]} points @param {Frame} frame
 * @returns {Point[]} beside them, then farther above and below, all inside the plot
 */
function candidatesAround(words, points, { width, height }) {
  const [right, bottom] = [width - MARGIN.right - widthOf(words), height - MARGIN.bottom - 8];
  const lines = Math.ceil(height / LINE_PX);
  const farther = Array.from({ length: 2 * lines }, (_, i) => (i % 2 ? -1 : 1) * (1.5 + Math.floor(i / 2)) * LINE_PX);
  /** @param {number} value @param {number} low @param {number} high */
  const clamp = (value, low, high) => Math.max(low, Math.min(high, value));
  return points
    .flatMap(({ x, y }) => [
      { x: x + 12, y: y - 12 },
      { x: x + 12, y: y + 14 },
      { x: x + 14, y },
      { x: x - widthOf(words) - 12, y: y + 14 },
      { x: x - widthOf(words) - 12, y: y - 12 },
      ...farther.flatMap((dy) => [12, -widthOf(words) - 12].map((dx) => ({ x: x + dx, y: y + dy }))),
    ])
    .map(({ x, y }) => ({ x: clamp(x, MARGIN.left + 2, right), y: clamp(y, MARGIN.top + 8, bottom) }));
}

/** @param {string} text @returns {number} about how wide it is */
export function widthOf(text) {
  return text.length * LETTER_PX;
}

/**
 * @param {object} options
 * @param {string} options.text
 * @param {readonly Point[]} options.candidates where its left edge may be, best first
 * @param {readonly Point[]} options.obstacles
 * @param {readonly Box[]} [options.taken] by other labels, which it never touches as long as there is room
 * @returns {Point} the first candidate that is free, or else the one with the fewest obstacles
 */
export function placeLabel({ text, candidates: all, obstacles, taken = [] }) {
  const width = widthOf(text);
  /** @param {Point} at */
  const isApart = (at) => taken.every((label) => !touches({ ...at, width }, label));
  const apart = all.filter(isApart);
  const candidates = apart.length > 0 ? apart : all;
  /** @param {Point} at */
  const hitsAt = (at) =>
    obstacles.filter(
      ({ x, y }) => x > at.x - GAP_PX && x < at.x + width + GAP_PX && Math.abs(y - at.y) < HALF_HEIGHT_PX + GAP_PX,
    ).length;
  const hits = candidates.map(hitsAt);
  return candidates[hits.indexOf(Math.min(...hits))];
}

/** @param {Box} a @param {Box} b */
function touches(a, b) {
  const isBeside = a.x + a.width + GAP_PX <= b.x || b.x + b.width + GAP_PX <= a.x;
  return !isBeside && Math.abs(a.y - b.y) < 2 * HALF_HEIGHT_PX;
}
