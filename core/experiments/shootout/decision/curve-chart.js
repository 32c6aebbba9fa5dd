/**
 * The decision's picture: the speed-up over the round-trip time on logarithmic axes. The transport that the run is about
 * with the 95% band of its prediction, another as a dashed line, runs as dots with their intervals.
 */
import { SAME_PERCENT, SAME_RATIO } from '../../../experiment/compare.js';
import { findSameDistanceMs, predictSpeedRatio } from './distance-model.js';
import { labelOf } from '../../../net/labels.js';
import { drawLabels, widthOf } from './curve-labels.js';
import { line, MARGIN, round, text } from './curve-frame.js';
import { formatRtt, rttRange } from './rtt.js';
import { logScale, logTicks } from './scale.js';
import { node } from './svg.js';

/**
 * @import { Interval } from '../../../base/statistics/intervals.js'
 * @import { Frame } from './curve-frame.js'
 * @import { DistanceModel } from './distance-model.js'
 * @import { SvgNode } from './svg.js'
 */

const STEP_COUNT = 80;
const DOT_PX = 6;

/**
 * @typedef {object} Dot a run as it was measured
 * @property {string} name
 * @property {number} floorMs
 * @property {Interval} speedRatio
 */

/**
 * @param {object} options
 * @param {readonly [DistanceModel, ...DistanceModel[]]} options.models the first one is what the run is about
 * @param {readonly Dot[]} [options.dots]
 * @param {number} [options.rttMs] that is asked about
 * @param {number} options.width in CSS pixels
 * @param {number} options.height
 * @returns {SvgNode}
 */
export function drawCurves({ models, dots = [{ ...models[0], name: 'this run' }], rttMs, width, height }) {
  const [model] = models;
  const frame = createFrame({ models, dots, width, height });
  const curves = models.map((one) => ({ model: one, points: pointsOf(one, frame) }));
  return node(
    'svg',
    { class: 'curves', viewBox: `0 0 ${width} ${height}`, width, height, 'aria-hidden': 'true' },
    ...drawAxes(frame, labelOf(model.baseline)),
    drawBand(model, frame),
    ...drawSameFrom(model, frame),
    ...curves.map(({ model: { transport }, points }, index) =>
      node('polyline', {
        points: points.map(({ x, y }) => `${round(x)},${round(y)}`).join(' '),
        class: index === 0 ? 'curve' : 'curve other',
        stroke: `var(--${transport})`,
      }),
    ),
    ...(rttMs === undefined ? [] : [drawAsked(rttMs, frame)]),
    ...dots.flatMap((dot) => drawDot(dot, model.transport, frame)),
    ...drawLabels({ curves, dots, frame }),
  );
}

/** @param {{ models: readonly DistanceModel[], dots: readonly Dot[], width: number, height: number }} options */
function createFrame({ models, dots, width, height }) {
  const rtts = rttRange(dots.map(({ floorMs }) => floorMs));
  const steps = Array.from(
    { length: STEP_COUNT + 1 },
    (_, step) => rtts.low * (rtts.high / rtts.low) ** (step / STEP_COUNT),
  );
  const predicted = models.flatMap((model) => steps.map((ms) => predictSpeedRatio(model, ms).estimate));
  const measured = dots.flatMap(({ speedRatio: { low, estimate, high } }) => [low, estimate, high]);
  // A logarithm has no place for a speed of 0.
  const ends = [...predicted, ...measured, SAME_RATIO ** 2, SAME_RATIO ** -2].filter((ratio) => ratio > 0.01);
  const ratios = { low: Math.min(...ends) / 1.05, high: Math.max(...ends) * 1.15 };
  return {
    width,
    height,
    rtts,
    ratios,
    steps,
    x: logScale(rtts, [MARGIN.left, width - MARGIN.right]),
    y: logScale(ratios, [height - MARGIN.bottom, MARGIN.top]),
  };
}

/** @param {DistanceModel} model @param {Frame} frame */
function pointsOf(model, { steps, x, y }) {
  return steps.map((ms) => ({ x: x(ms), y: y(predictSpeedRatio(model, ms).estimate) }));
}

/** @param {Frame} frame @param {string} baseline @returns {SvgNode[]} */
function drawAxes({ width, height, rtts, ratios, x, y }, baseline) {
  const [left, right, bottom] = [MARGIN.left, width - MARGIN.right, height - MARGIN.bottom];
  const sameTop = y(SAME_RATIO);
  const sameHeight = y(1 / SAME_RATIO) - sameTop;
  return [
    node('rect', { class: 'same', x: left, y: round(sameTop), width: right - left, height: round(sameHeight) }),
    ...logTicks(ratios).flatMap((ratio) => [
      line('grid', { x: left, y: y(ratio) }, { x: right, y: y(ratio) }),
      text(`${ratio}x`, { x: left - 8, y: y(ratio) }, 'end'),
    ]),
    ...logTicks(rtts, [[1], [1, 3]]).map((ms) => text(formatRtt(ms), { x: x(ms), y: bottom + 14 }, 'middle')),
    text('Round-trip time, ms', { x: (left + right) / 2, y: height - 10 }, 'middle'),
    text(`Speed compared with ${baseline}`, { x: 0, y: 14 }, 'start'),
  ];
}

/** @param {DistanceModel} model @param {Frame} frame */
function drawBand(model, { steps, x, y }) {
  const ratios = steps.map((ms) => ({ ms, ...predictSpeedRatio(model, ms) }));
  const upper = ratios.map(({ ms, high }) => `${round(x(ms))},${round(y(high))}`);
  const lower = ratios.map(({ ms, low }) => `${round(x(ms))},${round(y(low))}`).reverse();
  return node('polygon', { class: 'band', points: [...upper, ...lower].join(' '), fill: `var(--${model.transport})` });
}

/**
 * From where on the two are within 10%; its label stands above the plot, where no line is.
 * @param {DistanceModel} model @param {Frame} frame @returns {SvgNode[]}
 */
function drawSameFrom(model, { width, rtts, x, y }) {
  const ms = findSameDistanceMs(model);
  if (ms < rtts.low || ms > rtts.high) return [];
  const words = `within ${SAME_PERCENT}% above ${formatRtt(ms)} ms`;
  const half = widthOf(words) / 2;
  const middle = Math.min(width - half, Math.max(half, x(ms)));
  const end = { x: x(ms), y: y(predictSpeedRatio(model, ms).estimate) };
  return [
    line('same-from', { x: end.x, y: MARGIN.top }, end),
    text(words, { x: middle, y: MARGIN.top - 10 }, 'middle'),
  ];
}

/** @param {number} rttMs @param {Frame} frame */
function drawAsked(rttMs, { height, x }) {
  return line('asked', { x: x(rttMs), y: MARGIN.top }, { x: x(rttMs), y: height - MARGIN.bottom });
}

/** @param {Dot} dot @param {string} transport @param {Frame} frame @returns {SvgNode[]} */
function drawDot({ floorMs, speedRatio: { low, estimate, high } }, transport, { x, y }) {
  const colour = `var(--${transport})`;
  const at = (/** @type {number} */ ratio) => ({ x: x(floorMs), y: y(ratio) });
  return [
    line('whisker', at(low), at(high), { stroke: colour }),
    node('circle', { cx: round(x(floorMs)), cy: round(y(estimate)), r: DOT_PX, fill: colour }),
  ];
}
