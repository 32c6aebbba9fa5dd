/** The classic runs, to export: as JSON with every sample, as Markdown to paste. */
import { formatFailures } from '../../base/format.js';
import { formatServer } from '../../experiment/names.js';
import { formatNotes, isReused } from '../../experiment/lone-trials.js';
import { fixed, toMarkdown } from '../../experiment/table.js';
import { summarize } from '../../base/statistics/summary.js';
import { chartOf } from './chart.js';
import { measurement, elapsedOf, formatClassic } from './measure.js';

/**
 * @import { Summary } from '../../base/statistics/summary.js'
 * @import { Report } from '../../experiment/contract.js'
 * @import { Environment } from '../../experiment/run.js'
 * @import { Column, Table } from '../../experiment/table.js'
 * @import { Trial } from '../../net/echo/trial.js'
 * @import { ClassicRun } from './measure.js'
 */

/**
 * @typedef {ClassicRun & { startedAt: string, wasHidden: boolean }} ClassicRecord
 *
 * @typedef {object} ClassicResult
 * @property {string} transport
 * @property {number} [coldSetUpMs] of one new connection, where the runs reused one
 * @property {Environment} environment
 * @property {ClassicRecord[]} runs
 */

/**
 * @typedef {Omit<ClassicRecord, 'elapsedMs'>} ClassicDocumentRun
 * @typedef {Omit<ClassicResult, 'runs'> & { schema: string, runs: ClassicDocumentRun[] }} ClassicDocument what was
 *   measured, and nothing that can be computed from it
 */

/** @param {ClassicResult} result @returns {ClassicDocument} */
export function toDocument({ transport, coldSetUpMs, environment, runs }) {
  return {
    schema: measurement.schema,
    transport,
    coldSetUpMs,
    environment,
    runs: runs.map(({ elapsedMs: _, ...run }) => run),
  };
}

/** @param {ClassicDocument} document @returns {ClassicResult} */
export function fromDocument({ schema: _, runs, ...others }) {
  return { ...others, runs: runs.map((run) => ({ ...run, elapsedMs: elapsedOf(run) })) };
}

/** @param {ClassicResult} result @returns {string} JSON */
export function formatJson(result) {
  return `${JSON.stringify(toDocument(result))}\n`;
}

/**
 * @typedef {{ trial: Trial, summary: Summary }} ClassicRow
 *
 * @type {readonly Column<ClassicRow>[]}
 */
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
  { title: 'p50', name: 'p50_ms', unit: 'ms', value: ({ summary }) => summary.p50Ms, format: fixed(3) },
  { title: 'p95', name: 'p95_ms', unit: 'ms', value: ({ summary }) => summary.p95Ms, format: fixed(3) },
  { title: 'p99', name: 'p99_ms', unit: 'ms', value: ({ summary }) => summary.p99Ms, format: fixed(3) },
  { title: 'Samples', name: 'samples', value: ({ summary }) => summary.sampleCount },
  { title: 'Failures', name: 'failures', value: ({ trial }) => formatFailures(trial.failures) },
];

/** @param {Pick<ClassicResult, 'environment' | 'runs'>} result @returns {Table<ClassicRow>} the fine clock's figures */
export function tabulateClassic({ environment, runs }) {
  return { columns: COLUMNS, rows: runs.map(({ trial }) => ({ trial, summary: summarize(trial, environment) })) };
}

/** @param {ClassicResult} result @returns {Report} */
export function report(result) {
  return {
    heading: 'Messages per second',
    sentences: result.runs.map(formatClassic),
    notes: [formatNotes(result), describeServer(result)],
    tables: [tabulateClassic(result)],
    charts: [chartOf([{ words: '', runs: result.runs }])],
  };
}

/** @param {Pick<ClassicResult, 'runs'>} result */
function describeServer({ runs }) {
  const server = runs[0]?.trial.server;
  return `Server: ${server ? `${formatServer(server)}, worker ${server.worker}` : 'not known'}.`;
}

/** Its lines stay lines, as they stood in 2012. @param {ClassicResult} result @returns {string} */
export function formatMarkdown(result) {
  const { transport, environment, runs } = result;
  return [
    `### SockShootout, ${transport}`,
    '',
    ...runs.map((run) => `    ${formatClassic(run)}`),
    '',
    ...toMarkdown(tabulateClassic(result)),
    '',
    formatNotes(result),
    '',
    describeServer(result),
    `Page: ${environment.url}, ${runs[0].startedAt}, ${environment.userAgent}.`,
    '',
  ].join('\n');
}
