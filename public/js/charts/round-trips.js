/** The round trips of a run: each over the time of the run, where drifts and stalls show, and how they are distributed. */
import { formatNumber } from '../../../core/base/format.js';
import { quantile, summarizeTrials } from '../../../core/base/statistics.js';
import { labelOf } from '../../../core/net/labels.js';
import { element } from '../ui/element.js';
import { axis, colour, describeFigure, drawChart } from './chart.js';
import { drawLines } from './lines.js';

/** @import { AlignedData } from 'uplot' */
/** @import { Report, Row } from '../../../core/experiments/shootout/report.js' */
/** @import { RunTrial } from '../../../core/net/echo/trial.js' */
/** @import { UPlot } from './chart.js' */

/** More dots than a screen has room for would only take time to draw. */
const MOST_DOTS = 10_000;
const PERCENTS = Array.from({ length: 101 }, (_, percent) => percent);

/**
 * Every round trip as a dot.
 * @param {UPlot} uPlot @param {readonly string[]} transports @param {string} [figure] selector
 * @returns {{ show(trials: readonly RunTrial[]): void, destroy(): void }}
 */
export function createRoundTripChart(uPlot, transports, figure = '#over-time') {
  const options = {
    scales: { x: { time: false }, y: { distr: /** @type {const} */ (3) } },
    series: [{}, ...transports.map(seriesOf)],
    axes: [axis('seconds since the start'), axis('ms', { size: 60 })],
  };
  const chart = drawChart(uPlot, element(`${figure} .chart`), options, toData([], transports));
  return {
    show(trials) {
      chart.setData(toData(trials, transports));
      describeFigure(figure, describeTrials(trials, transports));
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
function describeTrials(trials, transports) {
  const parts = transports.map((transport) => {
    const { sampleCount, minMs, maxMs } = summarizeTrials(trials.filter((trial) => trial.transport === transport));
    if (sampleCount === 0) return `${labelOf(transport)}: none`;
    return `${labelOf(transport)}: ${sampleCount} round trips from ${formatNumber(minMs, 2)} to ${formatNumber(maxMs, 2)} ms`;
  });
  return `${parts.join('; ')}.`;
}

/** One line for each transport, from its fastest to its slowest. @param {UPlot} uPlot @param {Report} report */
export function createDistributionChart(uPlot, { result: { plan, trials }, rows }) {
  const lines = plan.transports.map((transport) => {
    const own = trials.filter((trial) => trial.transport === transport);
    const sorted = own.flatMap(({ samples }) => samples.roundTripMs).sort((a, b) => a - b);
    const values = PERCENTS.map((percent) => quantile(sorted, percent / 100) || null);
    return { label: labelOf(transport), colour: transport, values };
  });
  describeFigure('#distribution', describeRows(rows));
  return drawLines(uPlot, element('#distribution .chart'), {
    x: { title: '% of the round trips' },
    y: { title: 'ms, at most', logBase: 10 },
    values: PERCENTS,
    lines,
  });
}

/** @param {readonly Row[]} rows */
function describeRows(rows) {
  const parts = rows.map(({ transport, summary: { p50Ms, p90Ms, minMs, maxMs } }) =>
    minMs === undefined
      ? `${labelOf(transport)}: none`
      : `${labelOf(transport)}: fastest ${formatNumber(minMs, 2)}, half within ${formatNumber(p50Ms, 2)}, 90% within ${formatNumber(p90Ms, 2)}, slowest ${formatNumber(maxMs, 2)} ms`,
  );
  return `${parts.join('; ')}.`;
}
