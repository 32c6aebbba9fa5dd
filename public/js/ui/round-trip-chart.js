/**
 * Every round trip as a dot, over the time of the run: drifts and stalls show here, and nowhere else.
 */
import { formatNumber } from '../../core/format.js';
import { labelOf } from '../../core/transports/labels.js';
import { element } from './element.js';
import { axis, drawChart, seriesOf } from './chart.js';

/**
 * @param {import('./chart.js').UPlot} uPlot
 * @param {readonly string[]} transports
 * @returns {{ show(trials: readonly import('../../core/run.js').RunTrial[]): void, destroy(): void }}
 */
export function createRoundTripChart(uPlot, transports) {
  const place = element('#over-time .chart', HTMLElement);
  const alternative = element('#over-time .alternative', HTMLElement);
  const style = (/** @type {string} */ stroke) => ({
    paths: () => null,
    points: { show: true, size: 4, fill: stroke },
  });
  const chart = drawChart(
    uPlot,
    place,
    {
      scales: { x: { time: false }, y: { distr: 3 } },
      series: seriesOf(transports, style),
      axes: [axis('seconds since the start'), axis('ms', { size: 60 })],
    },
    toData([], transports),
  );

  return {
    show(trials) {
      chart.setData(toData(trials, transports));
      const words = describe(trials, transports);
      alternative.textContent = words;
      place.setAttribute('aria-label', `Chart. ${words}`);
    },
    destroy: chart.destroy,
  };
}

/**
 * @param {readonly import('../../core/run.js').RunTrial[]} trials in the order in which they were made
 * @param {readonly string[]} transports
 * @returns {import('uplot').AlignedData} seconds, then for each transport the round trips at its own times
 */
function toData(trials, transports) {
  const seconds = trials.flatMap(({ startedAtMs, samples }) => samples.sentAtMs.map((ms) => (startedAtMs + ms) / 1000));
  const columns = transports.map((transport) =>
    trials.flatMap((trial) =>
      // A logarithm has no place for a round trip that the clock did not see.
      trial.samples.roundTripMs.map((ms) => (trial.transport === transport && ms > 0 ? ms : null)),
    ),
  );
  return [seconds, ...columns];
}

/**
 * @param {readonly import('../../core/run.js').RunTrial[]} trials
 * @param {readonly string[]} transports
 */
function describe(trials, transports) {
  const parts = transports.map((transport) => {
    const values = trials
      .filter((trial) => trial.transport === transport)
      .flatMap(({ samples }) => samples.roundTripMs);
    if (values.length === 0) return `${labelOf(transport)}: none`;
    const [low, high] = [Math.min(...values), Math.max(...values)].map((ms) => formatNumber(ms, 2));
    return `${labelOf(transport)}: ${values.length} round trips from ${low} to ${high} ms`;
  });
  return `${parts.join('; ')}.`;
}
