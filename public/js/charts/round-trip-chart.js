/** Every round trip as a dot, over the time of the run: drifts and stalls show here, and nowhere else. */
import { formatNumber } from '../../../core/base/format.js';
import { summarizeTrials } from '../../../core/base/statistics/summary.js';
import { labelOf } from '../../../core/net/labels.js';
import { element } from '../ui/element.js';
import { axis, colour, describeFigure, drawChart } from './chart.js';

/**
 * @import { AlignedData } from 'uplot'
 * @import { RunTrial } from '../../../core/net/echo/trial.js'
 * @import { UPlot } from './chart.js'
 */

/**
 * @param {UPlot} uPlot @param {readonly string[]} transports @param {string} [figure] selector
 * @returns {{ show(trials: readonly RunTrial[]): void, destroy(): void }}
 */
export function createRoundTripChart(uPlot, transports, figure = '#over-time') {
  const chart = drawChart(
    uPlot,
    element(`${figure} .chart`),
    {
      scales: { x: { time: false }, y: { distr: 3 } },
      series: [{}, ...transports.map(seriesOf)],
      axes: [axis('seconds since the start'), axis('ms', { size: 60 })],
    },
    toData([], transports),
  );

  return {
    show(trials) {
      chart.setData(toData(trials, transports));
      describeFigure(figure, describe(trials, transports));
    },
    destroy: chart.destroy,
  };
}

/** @param {string} transport */
function seriesOf(transport) {
  // Asked for whenever it is drawn: the visitor may turn the lights off.
  const stroke = () => colour(`--${transport}`);
  return { label: labelOf(transport), stroke, paths: () => null, points: { show: true, size: 4, fill: stroke } };
}

/** More dots than a screen has room for would only take time to draw. */
const MOST_DOTS = 10_000;

/**
 * @param {readonly RunTrial[]} trials in the order in which they were made @param {readonly string[]} transports
 * @returns {AlignedData} seconds, then for each transport the round trips at its own times
 */
function toData(trials, transports) {
  const every = Math.ceil(trials.reduce((sum, { samples }) => sum + samples.roundTripMs.length, 0) / MOST_DOTS);
  /** @type {number[]} */
  const seconds = [];
  /** @type {(number | null)[][]} */
  const columns = transports.map(() => []);
  for (const { transport, startedAtMs, samples } of trials) {
    const own = transports.indexOf(transport);
    for (let i = 0; i < samples.roundTripMs.length; i += every) {
      seconds.push((startedAtMs + samples.sentAtMs[i]) / 1000);
      // A logarithm has no place for a round trip that the clock did not see.
      for (const [index, column] of columns.entries()) column.push((index === own && samples.roundTripMs[i]) || null);
    }
  }
  return [seconds, ...columns];
}

/** @param {readonly RunTrial[]} trials @param {readonly string[]} transports */
function describe(trials, transports) {
  const parts = transports.map((transport) => {
    const own = trials.filter((trial) => trial.transport === transport);
    const { sampleCount, minMs, maxMs } = summarizeTrials(own);
    if (sampleCount === 0) return `${labelOf(transport)}: none`;
    return `${labelOf(transport)}: ${sampleCount} round trips from ${formatNumber(minMs, 2)} to ${formatNumber(maxMs, 2)} ms`;
  });
  return `${parts.join('; ')}.`;
}
