/**
 * The speed that a run predicts for every distance, with its interval, and runs as dots: the run itself, and others at
 * distances of their own.
 */
import { describeSameDistance, predictSpeedRatio } from '../../../core/distance-model.js';
import { labelOf } from '../../../core/transports/labels.js';
import { element } from './element.js';
import { axis, colour, drawChart, seriesOf } from './chart.js';

const FARTHEST_MS = 400;
const STEP_COUNT = 200;
const DOT_PX = 10;

/**
 * @typedef {object} Dot a run as it was measured
 * @property {string} name
 * @property {string} [mark] to be drawn beside it
 * @property {number} floorMs
 * @property {import('../../../core/compare.js').Interval} speedRatio
 */

/**
 * @param {import('./chart.js').UPlot} uPlot
 * @param {import('../../../core/distance-model.js').DistanceModel} model
 * @param {readonly Dot[]} [dots]
 * @returns {{ destroy(): void }}
 */
export function createDistanceChart(uPlot, model, dots = [{ name: 'this run', ...model }]) {
  const place = element('#distance .chart', HTMLElement);
  const words = describeSameDistance(model);
  element('#distance .alternative', HTMLElement).textContent = words;
  place.setAttribute('aria-label', `Chart of the predicted speed against the distance. ${words}`);

  const distances = listDistances(dots);
  const ratios = distances.map((ms) => predictSpeedRatio(model, ms));
  // A logarithm has no place for a speed of 0.
  const ends = [ratios.map(({ low }) => low || null), ratios.map(({ high }) => high || null)];
  const columns = dots.map(({ floorMs, speedRatio }) =>
    distances.map((ms) => (ms === floorMs ? speedRatio.estimate : null)),
  );
  const [x, line] = seriesOf([model.transport], () => ({ width: 2, points: { show: false } }));
  const edge = { ...line, width: 1, dash: [4, 4] };
  return drawChart(
    uPlot,
    place,
    {
      scales: { x: { time: false }, y: { distr: 3, range: (_, low, high) => rangeOf(dots, low, high) } },
      series: [
        x,
        { ...line, label: 'predicted' },
        { ...edge, label: '95 % interval, low' },
        { ...edge, label: 'high' },
        ...dots.map(({ name, mark }) => ({
          ...line,
          label: [mark, name].filter(Boolean).join('. '),
          points: { show: true, size: DOT_PX, fill: line.stroke },
        })),
      ],
      axes: [axis('round trip, ms'), axis(`times as fast as ${labelOf(model.baseline)}`, { size: 60 })],
      hooks: { draw: [(chart) => drawMarks(chart, dots)] },
    },
    [distances, ratios.map(({ estimate }) => estimate), ...ends, ...columns],
  );
}

/**
 * @param {readonly Dot[]} dots
 * @returns {number[]} those of the lines, and those of the dots
 */
function listDistances(dots) {
  const floors = dots.map(({ floorMs }) => floorMs);
  const farthest = Math.max(FARTHEST_MS, ...floors);
  // As many however far it is, and closer together where the curve bends.
  const steps = Array.from({ length: STEP_COUNT + 1 }, (_, step) => farthest * (step / STEP_COUNT) ** 2);
  return [...new Set([...steps, ...floors])].sort((a, b) => a - b);
}

/**
 * All of the dots' intervals is to be seen, too.
 *
 * @param {readonly Dot[]} dots
 * @param {number | null} low
 * @param {number | null} high
 * @returns {import('uplot').Range.MinMax}
 */
function rangeOf(dots, low, high) {
  const ends = dots.flatMap(({ speedRatio }) => [speedRatio.low, speedRatio.high]);
  const known = [low ?? 0, high ?? 0, ...ends].filter((end) => end > 0);
  return [roundTo(Math.min(...known), Math.floor), roundTo(Math.max(...known), Math.ceil)];
}

/**
 * @param {number} value above 0
 * @param {(value: number) => number} round up or down
 * @returns {number} with one digit, or half of one between 1 and 2
 */
function roundTo(value, round) {
  const one = 10 ** Math.floor(Math.log10(value));
  const step = value < 2 * one ? one / 2 : one;
  return round(value / step) * step;
}

/**
 * Each dot's interval, and its mark.
 *
 * @param {import('uplot')} chart
 * @param {readonly Dot[]} dots
 */
function drawMarks({ ctx, valToPos, bbox }, dots) {
  const scale = devicePixelRatio;
  ctx.save();
  ctx.strokeStyle = ctx.fillStyle = colour('--chart-text');
  ctx.lineWidth = 1.5 * scale;
  ctx.font = `bold ${12 * scale}px system-ui`;
  ctx.textBaseline = 'middle';
  for (const { mark, floorMs, speedRatio } of dots) {
    const x = valToPos(floorMs, 'x', true);
    const [low, middle, high] = [speedRatio.low, speedRatio.estimate, speedRatio.high].map((ratio) =>
      // Nothing is below the chart's floor.
      Math.min(bbox.top + bbox.height, valToPos(Math.max(ratio, Number.MIN_VALUE), 'y', true)),
    );
    ctx.beginPath();
    ctx.moveTo(x, low);
    ctx.lineTo(x, high);
    ctx.stroke();
    if (mark) ctx.fillText(mark, x + DOT_PX * scale, middle - DOT_PX * scale);
  }
  ctx.restore();
}
