/**
 * Draws the round trips of a run: each over the time of the run, where drifts and stalls show, and their distribution.
 */
import { formatNumber } from '../../../core/base/format.js';
import { quantile, summarizeTrials } from '../../../core/base/statistics.js';
import { labelOf } from '../../../core/experiment/answer/labels.js';
import { element, keepTogether } from '../base/page.js';
import { drawLines } from './svg.js';

/** @import { Summary } from '../../../core/experiments/shootout/summary.js' */
/** @import { RunTrial } from '../../../core/net/echo/trial.js' */
/** @import { Plot } from '../../../core/picture/plot.js' */

/** The maximum number of dots: more would only take time to draw. */
const MAX_DOTS = 10_000;
const PERCENTS = Array.from({ length: 101 }, (_, percent) => percent);

/**
 * Draws every round trip as a dot.
 * @param {readonly string[]} transports
 */
export function createRoundTripChart(transports) {
  const plotOf = (/** @type {readonly RunTrial[]} */ trials) =>
    cloudsOf(transports, { x: { title: 'seconds since the start' }, labelOf, ...toData(trials, transports) });
  const chart = drawLines(element('#over-time .chart'), plotOf([]));
  return {
    show(/** @type {readonly RunTrial[]} */ trials) {
      chart.show(plotOf(trials));
      describe('#over-time', transports, (transport) => {
        const own = summarizeTrials(trials.filter((trial) => trial.transport === transport));
        if (own.sampleCount === 0) return 'none';
        return `${own.sampleCount} round trips from ${formatNumber(own.minMs, 2)} to ${formatNumber(own.maxMs, 2)} ms`;
      });
    },
    destroy: chart.destroy,
  };
}

/**
 * Draws a dot for each message, over its number.
 * @param {HTMLElement} place
 * @param {{ transports: readonly string[], labelOf: (transport: string) => string }} series
 * @returns {{ show(columns: readonly (readonly (number | null)[])[]): void, destroy(): void }} `columns`: the messages'
 *   times for each transport, null where a message is another's
 */
export function createMessageChart(place, { transports, labelOf: ofSeries }) {
  const plotOf = (/** @type {readonly (readonly (number | null)[])[]} */ columns) =>
    cloudsOf(transports, {
      x: { title: 'messages', isCount: true },
      labelOf: ofSeries,
      values: columns[0].map((_, i) => i + 1),
      columns,
    });
  const chart = drawLines(place, plotOf(transports.map(() => [])));
  return { show: (columns) => chart.show(plotOf(columns)), destroy: chart.destroy };
}

/**
 * @param {readonly string[]} transports
 * @param {{ x: Plot['x'], labelOf: (transport: string) => string, values: readonly number[], columns: readonly (readonly
 *   (number | null)[])[] }} data
 * @returns {Plot}
 */
const cloudsOf = (transports, { x, labelOf: ofSeries, values, columns }) => ({
  x,
  y: { title: 'ms', logBase: 10 },
  values,
  lines: transports.map((transport, i) => ({
    ...{ label: ofSeries(transport), colour: transport, isCloud: true },
    values: columns[i],
  })),
});

/**
 * @param {string} figure @param {readonly string[]} transports
 * @param {(transport: string, index: number) => string} wordsOf
 */
function describe(figure, transports, wordsOf) {
  const parts = transports.map((transport, index) => `${labelOf(transport)}: ${wordsOf(transport, index)}`);
  const words = `${parts.join('; ')}.`;
  element(`${figure} [role=img]`).setAttribute('aria-label', `Chart. ${words}`);
  element(`${figure} .alternative`).replaceChildren(...keepTogether(words));
}

/**
 * @param {readonly RunTrial[]} trials in the order in which they were made @param {readonly string[]} transports
 * @returns {{ values: number[], columns: (number | null)[][] }} seconds, and for each transport the round trips at its own
 *   times
 */
function toData(trials, transports) {
  const every = Math.ceil(trials.reduce((sum, { samples }) => sum + samples.roundTripMs.length, 0) / MAX_DOTS);
  /** @type {number[]} */
  const seconds = [];
  /** @type {(number | null)[][]} */
  const columns = transports.map(() => []);
  for (const { transport, startedAtMs, samples } of trials) {
    const own = transports.indexOf(transport);
    for (let i = 0; i < samples.roundTripMs.length; i += every) {
      seconds.push((startedAtMs + samples.sentAtMs[i]) / 1000);
      // A round trip of 0, which the clock did not see, has no logarithm.
      for (const [index, column] of columns.entries()) column.push((index === own && samples.roundTripMs[i]) || null);
    }
  }
  return { values: seconds, columns };
}

/**
 * Draws one line for each transport, from its fastest round trip to its slowest.
 * @param {Summary} summary
 */
export function createDistributionChart({ result: { plan, trials }, rows }) {
  const lines = plan.transports.map((transport) => {
    const own = trials.filter((trial) => trial.transport === transport);
    const sorted = own.flatMap(({ samples }) => samples.roundTripMs).sort((a, b) => a - b);
    const values = PERCENTS.map((percent) => quantile(sorted, percent / 100) || null);
    return { label: labelOf(transport), colour: transport, values };
  });
  const transports = rows.map(({ transport }) => transport);
  describe('#distribution', transports, (_, index) => {
    const { p50Ms, p90Ms, minMs, maxMs } = rows[index].summary;
    const [fastest, half, p90, slowest] = [minMs, p50Ms, p90Ms, maxMs].map((ms) => formatNumber(ms, 2));
    if (minMs === undefined) return 'none';
    return `fastest ${fastest}, half within ${half}, 90% within ${p90}, slowest ${slowest} ms`;
  });
  return drawLines(element('#distribution .chart'), {
    x: { title: '% of the round trips' },
    y: { title: 'ms, at most', logBase: 10 },
    values: PERCENTS,
    lines,
  });
}
