/** Names beside the lines and the dots of the decision's picture, where nothing else is. */
import { findSameDistanceMs, predictSpeedRatio } from './distance-model.js';
import { labelOf } from '../../../net/echo/labels.js';
import { MARGIN, text } from './curve-frame.js';

/**
 * @import { Dot } from './curve-chart.js'
 * @import { Frame, Point } from './curve-frame.js'
 * @import { DistanceModel } from './distance-model.js'
 * @import { SvgNode } from './svg.js'
 */

/** Of the page's font at 12 px, a little more than its letters take on average. */
const LETTER_PX = 6.7;
const HALF_HEIGHT_PX = 8;
/** An obstacle this near to a label's edge is in its way. */
const GAP_PX = 6;

/**
 * @typedef {object} Curve
 * @property {DistanceModel} model
 * @property {readonly Point[]} points
 */

/** @param {{ curves: readonly Curve[], dots: readonly Dot[], frame: Frame }} picture @returns {SvgNode[]} */
export function drawLabels({ curves, dots, frame }) {
  const obstacles = obstaclesIn({ curves, dots, frame });
  /** @param {string} words @param {readonly Point[]} near @param {string} colour */
  const place = (words, near, colour) => {
    const at = placeLabel({ text: words, candidates: candidatesAround(words, near, frame), obstacles });
    for (let letter = 0; letter <= words.length; letter++) obstacles.push({ x: at.x + letter * LETTER_PX, y: at.y });
    return text(words, at, 'start', { class: 'name', fill: `var(${colour})` });
  };
  return [
    ...dots.map(({ name, floorMs, speedRatio }) =>
      place(name, [{ x: frame.x(floorMs), y: frame.y(speedRatio.estimate) }], '--chart-text'),
    ),
    ...curves.map(({ model: { transport }, points }) =>
      place(labelOf(transport), points.slice(0, points.length / 2), `--${transport}`),
    ),
  ];
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
 * @returns {Point[]} to the right of them, above and below, all inside the plot
 */
function candidatesAround(words, points, { width, height }) {
  const [right, bottom] = [width - MARGIN.right - widthOf(words), height - MARGIN.bottom - 8];
  /** @param {number} value @param {number} low @param {number} high */
  const clamp = (value, low, high) => Math.max(low, Math.min(high, value));
  return points
    .flatMap(({ x, y }) => [
      { x: x + 12, y: y - 12 },
      { x: x + 12, y: y + 14 },
      { x: x + 14, y },
      { x: x - widthOf(words) - 12, y: y + 14 },
      { x: x - widthOf(words) - 12, y: y - 12 },
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
 * @returns {Point} the first candidate that is free, or else the one with the fewest obstacles
 */
export function placeLabel({ text, candidates, obstacles }) {
  const width = widthOf(text);
  /** @param {Point} at */
  const hitsAt = (at) =>
    obstacles.filter(
      ({ x, y }) => x > at.x - GAP_PX && x < at.x + width + GAP_PX && Math.abs(y - at.y) < HALF_HEIGHT_PX + GAP_PX,
    ).length;
  const hits = candidates.map(hitsAt);
  return candidates[hits.indexOf(Math.min(...hits))];
}
