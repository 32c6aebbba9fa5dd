/**
 * The decision's picture: the speed-up over the round-trip time on logarithmic axes. The transport that the run is about
 * with the 95% band of its prediction, another as a dashed line, runs as dots with their intervals.
 */
import { SAME_PERCENT, SAME_RATIO } from '../../../experiment/compare.js';
import { findSameDistanceMs, predictSpeedRatio } from './distance-model.js';
import { labelOf } from '../../../net/echo/labels.js';
import { drawLabels, widthOf } from './curve-labels.js';
import { MARGIN, round, text } from './curve-frame.js';
import { formatRtt, rttRange } from './rtt.js';
import { logScale, logTicks } from './scale.js';
import { node } from './svg.js';

/**
 * @import { Interval } from '../../../base/statistics/mean-interval.js'
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
export function drawCurves({ models, dots = [dotOf(models[0])], rttMs, width, height }) {
  const [model] = models;
  const frame = createFrame({ models, dots, width, height });
  const curves = models.map((one) => ({ model: one, points: pointsOf(one, frame) }));
  const labels = drawLabels({ curves, dots, frame });
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
    ...(rttMs === undefined ? [] : drawAsked(rttMs, frame)),
    ...dots.flatMap((dot) => drawDot(dot, model.transport, frame)),
    ...labels,
  );
}

/** @param {DistanceModel} model @returns {Dot} */
const dotOf = ({ floorMs, speedRatio }) => ({ name: 'this run', floorMs, speedRatio });

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
  return [
    node('rect', {
      class: 'same',
      x: left,
      y: round(sameTop),
      width: right - left,
      height: round(y(1 / SAME_RATIO) - sameTop),
    }),
    ...logTicks(ratios).flatMap((ratio) => [
      node('line', { class: 'grid', x1: left, x2: right, y1: round(y(ratio)), y2: round(y(ratio)) }),
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
  return [
    node('line', {
      class: 'same-from',
      x1: round(x(ms)),
      x2: round(x(ms)),
      y1: MARGIN.top,
      y2: round(y(predictSpeedRatio(model, ms).estimate)),
    }),
    text(words, { x: middle, y: MARGIN.top - 10 }, 'middle'),
  ];
}

/** @param {number} rttMs @param {Frame} frame @returns {SvgNode[]} */
function drawAsked(rttMs, { height, x }) {
  const at = round(x(rttMs));
  return [node('line', { class: 'asked', x1: at, x2: at, y1: MARGIN.top, y2: height - MARGIN.bottom })];
}

/** @param {Dot} dot @param {string} transport @param {Frame} frame @returns {SvgNode[]} */
function drawDot({ floorMs, speedRatio }, transport, { x, y }) {
  const at = round(x(floorMs));
  return [
    node('line', {
      class: 'whisker',
      stroke: `var(--${transport})`,
      x1: at,
      x2: at,
      y1: round(y(speedRatio.low)),
      y2: round(y(speedRatio.high)),
    }),
    node('circle', { cx: at, cy: round(y(speedRatio.estimate)), r: DOT_PX, fill: `var(--${transport})` }),
  ];
}
