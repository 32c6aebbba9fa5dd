/** Draws the decision's picture: the speed-up over the round-trip time with its 95% prediction band. */
import { formatRtt } from '../../base/format.js';
import { nameSameDistance, SAME_RATIO } from '../../experiment/answer/verdict.js';
import { drawLogChart } from '../../picture/log-chart.js';
import { labelOf } from '../../experiment/answer/labels.js';
import { predictSpeedRatio } from './distance-model.js';
import { rttRange } from './round-trip-times.js';
import { findSameDistance } from './same-distance.js';

/**
 * @import { Interval } from '../../base/statistics.js'
 * @import { Chart, Dot, Line } from '../../picture/plot.js'
 * @import { DistanceModel } from './distance-model.js'
 * @typedef {{ name: string, floorMs: number, speedRatio: Interval }} Measured a run
 * @typedef {readonly [DistanceModel, ...DistanceModel[]]} Models first the one that the picture is about
 */

const STEP_COUNT = 80;

/**
 * @param {{ models: Models, dots?: readonly Measured[], rttMs?: number, width: number, height: number }} options
 *   `rttMs`: the chosen one; sizes in CSS pixels
 */
export function drawCurves({ models, dots = [{ ...models[0], name: 'measured' }], rttMs, ...size }) {
  const chart = chartOf(models, dots);
  return drawLogChart(chart, { ...size, askedX: rttMs });
}

/**
 * The speed-up over the round-trip time.
 * @param {Models} models @param {readonly Measured[]} runs @returns {Omit<Chart, 'caption'>}
 */
export function chartOf(models, runs) {
  const [model] = models;
  const { low, high } = rttRange(runs.map(({ floorMs }) => floorMs));
  const values = Array.from({ length: STEP_COUNT + 1 }, (_, step) => low * (high / low) ** (step / STEP_COUNT));
  const lines = models.map((one, index) => lineOf(one, values, index === 0));
  const dots = runs.map(({ name, floorMs, speedRatio }) => ({
    ...{ label: name, colour: model.transport, x: floorMs, y: speedRatio.estimate, interval: speedRatio },
  }));
  const { estimateMs: sameMs } = findSameDistance(model);
  return {
    x: { title: 'Round-trip time, ms', logBase: 10, range: [low, high], format: formatRtt },
    y: {
      title: `Predicted speed-up over ${labelOf(model.baseline)}`,
      logBase: 10,
      range: ratioRange(lines, dots),
      format: (ratio) => `${ratio}x`,
    },
    values,
    lines,
    dots,
    marks: sameMs === Infinity ? [] : [{ x: sameMs, label: nameSameDistance(sameMs) }],
    same: { low: 1 / SAME_RATIO, high: SAME_RATIO },
  };
}

/** @param {DistanceModel} model @param {readonly number[]} rttsMs @param {boolean} hasBand @returns {Line} */
function lineOf(model, rttsMs, hasBand) {
  const ratios = rttsMs.map((ms) => predictSpeedRatio(model, ms));
  const values = ratios.map(({ estimate }) => estimate);
  return { label: labelOf(model.transport), colour: model.transport, values, ...(hasBand && { band: ratios }) };
}

/** @param {readonly Line[]} lines @param {readonly Dot[]} dots @returns {[low: number, high: number]} */
function ratioRange(lines, dots) {
  const measured = dots.flatMap(({ y, interval }) => [y, ...(interval ? [interval.low, interval.high] : [])]);
  const all = [...lines.flatMap(({ values }) => values.map(Number)), ...measured, SAME_RATIO ** 2, SAME_RATIO ** -2];
  // A speed of 0 has no logarithm.
  const ends = all.filter((ratio) => ratio > 0.01);
  return [Math.min(...ends) / 1.05, Math.max(...ends) * 1.15];
}
