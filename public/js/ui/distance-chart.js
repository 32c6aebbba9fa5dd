/**
 * The speed that a run predicts for every distance, with its interval, and the run itself as a dot.
 */
import { describeSameDistance, predictSpeedRatio } from '../../core/distance-model.js';
import { element } from './element.js';
import { axis, drawChart, seriesOf } from './chart.js';

const FARTHEST_MS = 400;
const STEP_MS = 4;

/**
 * @param {import('./chart.js').UPlot} uPlot
 * @param {import('../../core/distance-model.js').DistanceModel} model
 * @returns {{ destroy(): void }}
 */
export function createDistanceChart(uPlot, model) {
  const place = element('#distance .chart', HTMLElement);
  const words = describeSameDistance(model);
  element('#distance .alternative', HTMLElement).textContent = words;
  place.setAttribute('aria-label', `Chart of the predicted speed against the distance. ${words}`);

  const steps = Array.from({ length: FARTHEST_MS / STEP_MS + 1 }, (_, step) => step * STEP_MS);
  const distances = [...new Set([...steps, model.floorMs])].sort((a, b) => a - b);
  const ratios = distances.map((ms) => predictSpeedRatio(model, ms));
  const run = distances.map((ms) => (ms === model.floorMs ? model.speedRatio.estimate : null));
  // A logarithm has no place for a speed of 0.
  const ends = [ratios.map(({ low }) => low || null), ratios.map(({ high }) => high || null)];
  const [x, line] = seriesOf([model.transport], () => ({ width: 2, points: { show: false } }));
  const edge = { ...line, width: 1, dash: [4, 4] };
  return drawChart(
    uPlot,
    place,
    {
      scales: { x: { time: false }, y: { distr: 3 } },
      series: [
        x,
        { ...line, label: 'predicted' },
        { ...edge, label: '95 % interval, low' },
        { ...edge, label: 'high' },
        { ...line, label: 'this run', points: { show: true, size: 10, fill: line.stroke } },
      ],
      axes: [axis('round trip, ms'), axis('times as fast as the baseline', { size: 60 })],
    },
    [distances, ratios.map(({ estimate }) => estimate), ...ends, run],
  );
}
