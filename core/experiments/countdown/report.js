/** Reports a count-down: the means, a table of the tests, a chart, and the limits of the figures. */
import { formatMs } from '../../base/format.js';
import { mean, sumOf } from '../../base/statistics.js';
import { formatNotes as formatLoneNotes, formatUnfinished, isReused } from '../../experiment/documents/lone-trials.js';
import { formatServer } from '../../experiment/run/names.js';
import { labelOf } from '../../experiment/answer/labels.js';
import { ENDPOINTS } from './plan.js';
import { meansOf, msPerIteration, testsBy, transportsOf } from './summary.js';

/**
 * @import { Chart } from '../../picture/plot.js'
 * @import { Column } from '../../experiment/report/table.js'
 * @import { OwnReport } from '../../experiment/report/findings.js'
 * @import { Countdown } from './measure.js'
 * @import { CountdownResult, CountdownTest } from './schema.js'
 */

/** @type {readonly Column<Countdown>[]} */
export const COLUMNS = [
  { title: '#', name: 'number', value: (_, index) => index + 1 },
  {
    title: 'Test',
    isText: true,
    isKey: true,
    idOf: ({ trial }) => trial.transport,
    value: ({ trial }) => labelOf(trial.transport),
  },
  { title: 'Iterations', name: 'iterations', isKey: true, value: ({ trial }) => trial.iterations },
  {
    title: 'Time',
    name: 'time_ms',
    unit: 'ms',
    value: (test) => (test.elapsedMs === undefined ? formatEnd(test) : formatMs(test.elapsedMs)),
  },
  // A test's ending spans this column.
  {
    title: 'ms per message',
    name: 'ms_per_iteration',
    value: (test) => msPerIteration(test) ?? null,
    format: formatMs,
  },
];

/** Reports the countdowns. @param {CountdownResult} result @returns {OwnReport} */
export function report(result) {
  const { environment, tests } = result;
  return {
    heading: 'Time of the messages',
    ...(environment
      ? { ...headlinesOf(tests), sentences: [describeLimits(tests)].filter(Boolean) }
      : // What a client reported may have many and long names.
        {
          conclusion: `${countOf(tests.length)} of the count-down, as reported.`,
          sentences: [`As reported: ${describeMeans(tests)}`],
        }),
    notes: [formatSetUp(result), formatNotes(result), environment ? describeServer(tests, environment) : ''].filter(
      Boolean,
    ),
    tables: [{ columns: COLUMNS, rows: tests }],
    charts: [chartOf(tests)],
  };
}

/** @param {readonly Countdown[]} tests @returns {{ conclusion?: string, elsewhere?: OwnReport['elsewhere'] }} */
function headlinesOf(tests) {
  const conclusion = `${formatMeans(tests)}.`;
  // Means without an interval compare nothing, so they stay on one machine, too.
  return { conclusion, elsewhere: { headline: conclusion } };
}

/** @param {readonly Countdown[]} tests @returns {Chart} */
function chartOf(tests) {
  return {
    caption: 'Time per message, in the order of the tests; lower is faster',
    x: { title: 'test', isCount: true },
    y: { title: 'ms per message', logBase: 10 },
    values: tests.map((_, i) => i + 1),
    lines: transportsOf(tests).map((transport) => ({
      label: labelOf(transport),
      colour: colourOf(transport),
      hasPoints: true,
      values: tests.map((test) => (test.trial.transport === transport ? msPerIteration(test) || null : null)),
    })),
  };
}

/** @param {string} transport @returns {string} the name of a custom property, without its dashes */
export const colourOf = (transport) => (Object.hasOwn(ENDPOINTS, transport) ? transport : 'chart-text');

/**
 * Describes the means of the tests, and their limits.
 * @param {readonly Countdown[]} tests @returns {string} sentences
 */
export const describeMeans = (tests) => `${formatMeans(tests)}. ${describeLimits(tests)}`.trim();

/** @param {readonly Countdown[]} tests @returns {string} */
export function formatMeans(tests) {
  const figures = meansOf(tests).flatMap(({ transport, meanMs, finishedCount }) =>
    meanMs === undefined ? [] : `${labelOf(transport)}\u00a0${formatMs(meanMs)} ms (${countOf(finishedCount)})`,
  );
  return figures.length > 0 ? `Mean time per message: ${figures.join(', ')}` : 'No test finished';
}

/** @param {readonly Countdown[]} tests @returns {string} sentences; no verdict, as means have no interval */
function describeLimits(tests) {
  const means = meansOf(tests);
  const unfinishedCount = sumOf(means, (one) => one.unfinishedCount);
  const isPair = means.filter(({ finishedCount }) => finishedCount > 0).length > 1;
  return [
    isPair && 'No verdict: these tests give no confidence interval.',
    unfinishedCount > 0 && unfinishedCount < tests.length && `${countOf(unfinishedCount)} did not finish.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** @param {number} count */
const countOf = (count) => `${count} ${count === 1 ? 'test' : 'tests'}`;

/** Formats how a test ended before it reached 0. @param {Countdown} test @returns {string} */
export const formatEnd = ({ trial, ending }) =>
  formatUnfinished({ trial, ending }, `${trial.samples.iteration.length} of ${trial.iterations}`);

/**
 * Formats the connection setup, which 2019 left out. @param {{ tests: readonly CountdownTest[], coldSetUpMs?: number }} result
 */
export function formatSetUp({ tests, coldSetUpMs }) {
  const byXhr = testsBy(tests, 'xhr');
  const opened = formatSetUps(byXhr.filter(({ trial }) => trial.samples.iteration.length > 0));
  const isAnyReused = byXhr.some(isReused);
  const connected = formatSetUps(testsBy(tests, 'ws'));
  const cost =
    coldSetUpMs === undefined
      ? 'The time of a new connection could not be measured.'
      : `A new connection took ${coldSetUpMs.toFixed(1)} ms (one sample, after the tests).`;
  const sentences = [
    opened && `XHR opened a connection in ${opened} (included in the times).`,
    isAnyReused && `${opened ? 'Other XHR tests' : 'XHR'} reused an open connection. ${cost}`,
    connected && `The WebSocket connected in ${connected} (not included in the times).`,
  ].filter(Boolean);
  return sentences.length === 0 ? '' : `Connection setup: ${sentences.join(' ')}`;
}

/** @param {readonly Countdown[]} tests @returns {string} empty if none has a time */
function formatSetUps(tests) {
  const values = tests.flatMap(({ trial }) => trial.setUpMs ?? []);
  if (values.length === 0) return '';
  return `${mean(values)?.toFixed(1)} ms${values.length === 1 ? '' : `, mean of ${values.length}`}`;
}

/** @param {CountdownResult} result @returns {string} the notes beside the table */
export function formatNotes({ tests, environment }) {
  if (!environment)
    return 'The client of 2019 reported these times. It sent no samples, so this site cannot check them.';
  const notes = formatLoneNotes({ environment, records: [] });
  const hidden = tests.flatMap(({ wasHidden }, index) => (wasHidden ? [index + 1] : []));
  if (hidden.length === 0) return notes;
  const which = `${hidden.length === 1 ? 'test' : 'tests'} ${hidden.join(', ')}`;
  return `${notes} This tab was hidden during ${which}. Browsers slow hidden tabs down, so these times, and means with them, are invalid.`;
}

/** @param {readonly Countdown[]} tests @param {{ url: string }} environment */
function describeServer(tests, { url }) {
  const server = tests.find(({ trial }) => trial.server)?.trial.server;
  return `Server: ${server ? formatServer(server, url) : 'unknown'}.`;
}
