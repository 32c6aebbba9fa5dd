import { findSameDistanceMs, predictSpeedRatio } from './distance-model.js';
import { labelOf } from '../../../net/echo/labels.js';
import { MARGIN, text } from './curve-frame.js';
import { obstaclesOf, placeLabel, widthOf } from './place-label.js';

/**
 * @import { Dot } from './curve-chart.js'
 * @import { Frame } from './curve-frame.js'
 * @import { DistanceModel } from './distance-model.js'
 * @import { Point } from './place-label.js'
 * @import { SvgNode } from './svg.js'
 */

/**
 * Names beside the lines and the dots, where nothing else is.
 *
 * @param {object} options
 * @param {readonly { model: DistanceModel, points: readonly Point[] }[]} options.curves
 * @param {readonly Dot[]} options.dots
 * @param {Frame} options.frame
 * @returns {SvgNode[]}
 */
export function drawLabels({ curves, dots, frame }) {
  const [{ model }] = curves;
  const sameMs = findSameDistanceMs(model);
  const obstacles = [
    ...curves.flatMap(({ points }) => points),
    ...frame.steps.flatMap((ms) => {
      const { low, high } = predictSpeedRatio(model, ms);
      return [low, high].map((ratio) => ({ x: frame.x(ms), y: frame.y(ratio) }));
    }),
    ...[1, 1.1, 1.2, 1.3, 1.5, 2, 3, 5, 8].map((ratio) => ({ x: frame.x(sameMs), y: frame.y(ratio) })),
    ...dots.flatMap(({ floorMs, speedRatio: { low, estimate, high } }) =>
      [low, estimate, high].map((ratio) => ({ x: frame.x(floorMs), y: frame.y(ratio) })),
    ),
  ];
  /** @param {string} words @param {readonly Point[]} near @param {string} colour */
  const place = (words, near, colour) => {
    const label = placeLabel({ text: words, candidates: candidatesAround(words, near, frame), obstacles });
    obstacles.push(...obstaclesOf(label));
    return text(words, label.at, 'start', { class: 'name', fill: `var(${colour})` });
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
