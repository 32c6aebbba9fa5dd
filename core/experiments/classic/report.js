/** The report of a test of 2012: its lines, the fine clock's figures, a chart. */
import { asClause, formatCount, formatFailures, formatMs } from '../../base/format.js';
import { escape } from '../../base/foreign-text.js';
import { summarize as summarizeTrial } from '../../base/statistics.js';
import { formatNotes as formatLoneNotes, formatUnfinished, isReused } from '../../experiment/documents/lone-trials.js';
import { formatServer } from '../../experiment/run/names.js';
import { describeTrust } from '../../experiment/report/report.js';
import { fixed, toMarkdown } from '../../experiment/report/table.js';
import { labelOf, labelOfProtocol } from '../../experiment/answer/labels.js';
import { rateOf } from './summary.js';

/**
 * @import { Summary } from '../../base/statistics.js'
 * @import { Chart } from '../../picture/plot.js'
 * @import { Column, Table } from '../../experiment/report/table.js'
 * @import { OwnReport, Report } from '../../experiment/report/findings.js'
 * @import { Trial } from '../../net/echo/trial.js'
 * @import { ClassicRun } from './measure.js'
 * @import { ClassicRecord, ClassicResult } from './schema.js'
 * @typedef {{ trial: Trial, summary: Summary }} ClassicRow
 */

/** @type {readonly Column<ClassicRow>[]} */
const COLUMNS = [
  { title: 'Iterations', name: 'iterations', isKey: true, value: ({ trial }) => trial.iterations },
  { title: 'Protocol', isText: true, value: ({ trial }) => trial.protocol },
  {
    title: 'Connection setup',
    name: 'setup_ms',
    unit: 'ms',
    value: ({ trial }) => (isReused({ trial }) ? 'reused' : trial.setUpMs?.toFixed(1)),
  },
  {
    title: 'Steady messages/s',
    name: 'messages_per_second',
    value: ({ summary }) => summary.messagesPerSecond,
    format: fixed(1),
  },
  { title: 'p50', name: 'p50_ms', unit: 'ms', value: ({ summary }) => summary.p50Ms, format: formatMs },
  { title: 'p95', name: 'p95_ms', unit: 'ms', value: ({ summary }) => summary.p95Ms, format: formatMs },
  { title: 'p99', name: 'p99_ms', unit: 'ms', value: ({ summary }) => summary.p99Ms, format: formatMs },
  { title: 'Samples', name: 'samples', value: ({ summary }) => summary.sampleCount },
  { title: 'Failures', name: 'failures', value: ({ trial }) => formatFailures(trial.failures) },
];

/**
 * The fine clock's figures.
 * @param {ClassicResult} result @returns {Table<ClassicRow>}
 */
export function tabulateClassic({ environment, runs }) {
  return { columns: COLUMNS, rows: runs.map(({ trial }) => ({ trial, summary: summarizeTrial(trial, environment) })) };
}

/** Reports the runs of a page of 2012. @param {ClassicResult} result @returns {OwnReport} */
export function report(result) {
  const lines = result.runs.map(formatClassic);
  // A rate compares nothing, so it stays on one machine, too.
  const last = result.runs.at(-1);
  const headline = last && `${labelOf(result.transport)}: ${describeRun(last)}`;
  return {
    heading: 'Messages per second',
    conclusion: headline,
    ...(headline && { elsewhere: { headline } }),
    // The line of a failed run is a sentence.
    sentences: [`${lines.map(asClause).join(' · ')}.`],
    notes: [formatNotes(result), describeServer(result)],
    tables: [{ heading: 'Latency and steady rate', ...tabulateClassic(result) }],
    charts: [chartOf(result)],
    formatMarkdown: (words) => formatMarkdown(result, words),
  };
}

/**
 * Formats what the pages of 2012 copy: their lines stay lines.
 * @param {ClassicResult} result @param {Report} words
 */
function formatMarkdown(result, words) {
  const { transport, environment, runs } = result;
  const { notice = '', conditions = '' } = words;
  return [
    `### SockShootout, ${transport}`,
    '',
    ...runs.flatMap(linesOf),
    '',
    ...toMarkdown(tabulateClassic(result)),
    '',
    escape(describeTrust(words)),
    '',
    notice,
    '',
    escape(conditions),
    '',
    formatNotes(result),
    '',
    escape(describeServer(result)),
    `Page: ${escape(environment.url)}, ${runs[0].startedAt}, ${escape(environment.userAgent)}.`,
    '',
  ]
    .join('\n')
    .replace(/\n{3,}/g, '\n\n');
}

/** What ended a run is foreign text, and no part of a block of code. @param {ClassicRecord} run */
function linesOf(run) {
  const line = formatClassic(run);
  return run.elapsedMs === undefined ? ['', escape(line), ''] : [`    ${line}`];
}

/** Formats a rate with as many digits as a time has. @param {number} perSecond */
export const formatRate = (perSecond) => Number(formatMs(perSecond)).toLocaleString('en');

/** @param {ClassicRun} run @returns {string} such as '812 messages per second over WebSocket, 1,000 iterations' */
function describeRun(run) {
  const { iterations, protocol } = run.trial;
  const rate = rateOf(run);
  if (rate === undefined) return formatClassic(run);
  const over = protocol ? ` over ${labelOfProtocol(protocol)}` : '';
  return `${formatRate(rate)} messages per second${over}, ${formatCount(iterations, 'iteration')}`;
}

/**
 * Formats a run as in 2012: 'Finished 1000 iterations in 2.934 seconds meaning 340.832 messages/second'.
 * @param {ClassicRun} run
 */
export function formatClassic({ trial, elapsedMs, ending }) {
  const { iterations, samples } = trial;
  if (elapsedMs === undefined) {
    return formatUnfinished({ trial, ending }, `${samples.iteration.length} of ${iterations} iterations`);
  }
  const seconds = elapsedMs / 1000;
  const rate = (iterations / seconds).toFixed(3);
  return `Finished ${iterations} iterations in ${seconds.toFixed(3)} seconds meaning ${rate} messages/second`;
}

/**
 * @param {ClassicResult} result
 * @returns {string} the notes beside the table
 */
export const formatNotes = ({ runs, ...result }) => formatLoneNotes({ ...result, records: runs });

/** @param {ClassicResult} result */
function describeServer({ environment, runs }) {
  const server = runs[0]?.trial.server;
  return `Server: ${server ? `${formatServer(server, environment.url)}, worker ${server.worker}` : 'unknown'}.`;
}

/**
 * Draws the rates; if a number of iterations was measured more than once, the last one.
 * @param {ClassicResult} result @returns {Chart}
 */
function chartOf({ transport, runs }) {
  const values = [...new Set(runs.map(({ trial }) => trial.iterations))].sort((a, b) => a - b);
  const lastOf = (/** @type {number} */ count) => runs.findLast(({ trial }) => trial.iterations === count);
  return {
    caption: 'Messages per second by iterations; higher is faster',
    x: { title: 'iterations', logBase: 10 },
    y: { title: 'messages/s', logBase: 10 },
    values,
    lines: [
      {
        label: labelOf(transport),
        colour: transport,
        hasPoints: true,
        values: values.map((count) => rateOf(lastOf(count)) || null),
      },
    ],
  };
}
