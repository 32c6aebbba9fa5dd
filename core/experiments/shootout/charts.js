/** The decision's picture, the speed-up over the round-trip time with its 95% band; and the intervals as bars. */
import { formatFailures, formatRange, formatRatio } from '../../base/format.js';
import { HALF_HEIGHT_PX, line, logScale, logTicks, node, placeLabel, round, text, widthOf } from '../../base/svg.js';
import { SAME_PERCENT, SAME_RATIO, VERDICT_LABELS } from '../../experiment/compare.js';
import { labelOf } from '../../net/labels.js';
import { findSameDistanceMs, formatRtt, predictSpeedRatio, rttRange } from './distance-model.js';

/**
 * @import { Box, Point, SvgNode } from '../../base/svg.js'
 * @import { Interval } from '../../base/statistics.js'
 * @import { DistanceModel } from './distance-model.js'
 * @import { Row } from './summary.js'
 * @typedef {{ name: string, floorMs: number, speedRatio: Interval }} Dot a run as it was measured
 * @typedef {ReturnType<typeof createFrame>} Frame
 * @typedef {{ model: DistanceModel, points: readonly Point[] }} Curve
 */

const MARGIN = { top: 44, right: 16, bottom: 44, left: 44 };
const STEP_COUNT = 80;
const DOT_PX = 6;
/** From one label to the next one above or below. */
const LINE_PX = 22;

/**
 * @param {{ models: readonly [DistanceModel, ...DistanceModel[]], dots?: readonly Dot[], rttMs?: number, width: number,
 *   height: number }} options first the model that the run is about; `rttMs`: that is asked about; sizes in CSS pixels
 * @returns {SvgNode}
 */
export function drawCurves({ models, dots = [{ ...models[0], name: 'measured' }], rttMs, width, height }) {
  const [model] = models;
  const frame = createFrame({ models, dots, width, height });
  const { steps, x, y } = frame;
  const curves = models.map((one) => ({
    model: one,
    points: steps.map((ms) => ({ x: x(ms), y: y(predictSpeedRatio(one, ms).estimate) })),
  }));
  const asked = rttMs === undefined ? [] : [x(rttMs)];
  return node(
    'svg',
    { class: 'curves', viewBox: `0 0 ${width} ${height}`, width, height, 'aria-hidden': 'true' },
    ...drawAxes(frame, labelOf(model.baseline)),
    drawBand(model, frame),
    ...drawSameFrom(model, frame),
    ...curves.map(({ model: { transport }, points }, index) =>
      node('polyline', {
        points: points.map((point) => `${round(point.x)},${round(point.y)}`).join(' '),
        class: index === 0 ? 'curve' : 'curve other',
        stroke: `var(--${transport})`,
      }),
    ),
    ...asked.map((at) => line('asked', { x: at, y: MARGIN.top }, { x: at, y: height - MARGIN.bottom })),
    ...dots.flatMap((dot) => drawDot(dot, model.transport, frame)),
    ...drawLabels(curves, dots, frame),
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

/** @param {Frame} frame @param {string} baseline @returns {SvgNode[]} */
function drawAxes({ width, height, rtts, ratios, x, y }, baseline) {
  const [left, right, bottom] = [MARGIN.left, width - MARGIN.right, height - MARGIN.bottom];
  const title = `Predicted speed compared with ${baseline}`;
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
    text(widthOf(title) > width ? 'Predicted speed-up' : title, { x: 0, y: 14 }, 'start'),
  ];
}

/** @param {DistanceModel} model @param {Frame} frame */
function drawBand(model, { steps, x, y }) {
  const ratios = steps.map((ms) => ({ ms, ...predictSpeedRatio(model, ms) }));
  const upper = ratios.map(({ ms, high }) => `${round(x(ms))},${round(y(high))}`);
  const lower = ratios.map(({ ms, low }) => `${round(x(ms))},${round(y(low))}`).reverse();
  return node('polygon', { class: 'band', points: [...upper, ...lower].join(' '), fill: `var(--${model.transport})` });
}

/** From where on the two are within 10%. @param {DistanceModel} model @param {Frame} frame @returns {SvgNode[]} */
function drawSameFrom(model, { width, rtts, x, y }) {
  const ms = findSameDistanceMs(model);
  if (ms < rtts.low || ms > rtts.high) return [];
  const words = `within ${SAME_PERCENT}% from ${formatRtt(ms)} ms`;
  const half = widthOf(words) / 2;
  const middle = clamp(x(ms), half, width - half);
  const end = { x: x(ms), y: y(predictSpeedRatio(model, ms).estimate) };
  return [
    line('same-from', { x: end.x, y: MARGIN.top }, end),
    text(words, { x: middle, y: MARGIN.top - 10 }, 'middle'),
  ];
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

/** @param {readonly Curve[]} curves @param {readonly Dot[]} dots @param {Frame} frame @returns {SvgNode[]} */
function drawLabels(curves, dots, frame) {
  const obstacles = obstaclesIn(curves, dots, frame);
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
      place(labelOf(transport), points.filter(isLabelled), `--${transport}`),
    ),
  ];
}

/** A curve's label stands beside its left half. @param {Point} _ @param {number} index @param {readonly Point[]} points */
const isLabelled = (_, index, points) => index < points.length / 2 && index % 4 === 0;

/** A line from a dot to a label that is not beside it. @param {Box} label @param {Point} dot @returns {SvgNode[]} */
function leaderTo({ x, y, width }, dot) {
  if (Math.abs(y - dot.y) < LINE_PX) return [];
  const end = { x: clamp(dot.x, x, x + width), y: y + (y < dot.y ? HALF_HEIGHT_PX : -HALF_HEIGHT_PX) };
  return [line('leader', dot, end)];
}

/** @param {readonly Curve[]} curves @param {readonly Dot[]} dots @param {Frame} frame */
function obstaclesIn(curves, dots, { x, y, steps }) {
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

/** @param {string} words @param {readonly Point[]} points @param {Frame} frame @returns {Point[]} best first */
function candidatesAround(words, points, { width, height }) {
  const [right, bottom] = [width - MARGIN.right - widthOf(words), height - MARGIN.bottom - 8];
  const before = -widthOf(words) - 12;
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
    .map(({ x, y }) => ({ x: clamp(x, MARGIN.left + 2, right), y: clamp(y, MARGIN.top + 8, bottom) }));
}

/** @param {number} value @param {number} low @param {number} high */
const clamp = (value, low, high) => Math.max(low, Math.min(high, value));

const NARROWEST = 1.25;
/** Between two ticks, so that their texts do not touch on a phone. */
const LEAST_GAP_PERCENT = 13;

/** The ratio of each transport with its interval, or why there is none. @param {readonly Row[]} rows */
export function createIntervalBars(rows) {
  const candidates = rows.filter(({ comparison }) => comparison);
  const ratios = candidates.flatMap(({ comparison }) => comparison?.speedRatio ?? []);
  const reach = Math.max(NARROWEST, ...ratios.flatMap(({ low, high }) => [1 / low, high])) * 1.05;
  const domain = { low: 1 / reach, high: reach };
  const at = logScale(domain, [0, 100]);
  return {
    bars: candidates.map((row) => {
      const { transport, comparison } = row;
      const ratio = comparison?.speedRatio;
      return { transport, words: describe(row), picture: ratio && drawBar(transport, ratio, at) };
    }),
    axis: drawAxis(domain, at),
  };
}

/** @param {Row} row */
function describe({ comparison, failures }) {
  const failed = failures.length > 0 ? `; failures: ${formatFailures(failures)}` : '';
  const { speedRatio: ratio, word, isTooCoarse } = comparison ?? {};
  if (!ratio || !word) return `${isTooCoarse ? 'clock too coarse' : 'not enough samples'}${failed}`;
  const factor = word === 'unclear' ? '' : `: ${formatRatio(ratio)}`;
  return `${VERDICT_LABELS[word]}${factor} (${formatRange(ratio)})${failed}`;
}

/** @param {string} transport @param {Interval} ratio @param {(ratio: number) => number} at */
function drawBar(transport, { low, estimate, high }, at) {
  const colour = `var(--${transport})`;
  return node(
    'svg',
    { class: 'bar-interval', height: 28, width: '100%', 'aria-hidden': 'true' },
    node('line', { class: 'one', x1: '50%', x2: '50%', y1: 0, y2: 28 }),
    node('line', { class: 'interval', stroke: colour, x1: percent(at(low)), x2: percent(at(high)), y1: 14, y2: 14 }),
    node('circle', { cx: percent(at(estimate)), cy: 14, r: 6, fill: colour }),
  );
}

/** @param {{ low: number, high: number }} domain @param {(ratio: number) => number} at */
function drawAxis(domain, at) {
  // The most important first, and others where there is room.
  const ticks = [...new Set([1, ...logTicks(domain, [[1], [1, 2, 5], [1, 1.1, 1.2, 1.5, 2, 5, 7, 8, 9]])])];
  /** @type {number[]} */
  const kept = [];
  for (const tick of ticks.filter((ratio) => at(ratio) > 1 && at(ratio) < 99))
    if (kept.every((other) => Math.abs(at(other) - at(tick)) >= LEAST_GAP_PERCENT)) kept.push(tick);
  return node(
    'svg',
    { class: 'bar-axis', height: 20, width: '100%', 'aria-hidden': 'true' },
    ...kept.map((ratio) =>
      node('text', { class: 'tick', x: percent(at(ratio)), y: 12, 'text-anchor': 'middle' }, `${ratio}x`),
    ),
  );
}

/** @param {number} share */
const percent = (share) => `${share.toFixed(2)}%`;
