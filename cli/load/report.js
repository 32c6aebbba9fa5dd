/** Reports a load: a row for each server, as text, Markdown or JSON. */
import os from 'node:os';
import { median, percentile, sort } from '../../core/base/statistics.js';
import { formatMs } from '../../core/base/format.js';
import { fixed, toMarkdown, toText, words } from '../../core/experiment/report/table.js';
import { labelOf } from '../../core/experiment/answer/labels.js';
import { BUSY } from '../stress/client-load.js';

/**
 * @import { Column } from '../../core/experiment/report/table.js'
 * @import { LoadPlan } from './index.js'
 * @import { Tally } from './send.js'
 * @typedef {object} Rest
 * @property {boolean} isCutOff did its time end before all was sent?
 * @property {number} busiest the part of its busiest half second that this program worked, 0 to 1
 * @typedef {object} Sent by a server; times are absent, like the rate, if nothing was answered
 * @property {string} server its name
 * @property {number} answered messages had the right answer
 * @property {number} completed messages were answered or failed
 * @property {Record<string, number>} errors by type, including errors of connections, which are not messages
 * @property {number} seconds from the first message to the last answer
 * @property {number} [perSecond]
 * @property {number} [p50Ms]
 * @property {number} [p90Ms]
 * @property {number} [p99Ms]
 * @property {number} [maxMs]
 * @typedef {Sent & Rest} LoadRow
 * @typedef {object} Measured
 * @property {LoadRow[]} rows
 * @property {boolean} sharesCpus the servers are this program's own, so that they have no CPUs to themselves
 * @property {string} [ending] why it ended early
 * @typedef {LoadPlan & Measured & { startedAt: string, node: string, cpus: number }} LoadReport
 */

/** The status codes and errors with which a server refuses more load. */
const REFUSALS = [
  ...['status 429', 'status 503', 'closed', 'ECONNRESET', 'EPIPE'],
  ...['not connected (closed)', 'not connected (rejected)'],
];

/** @type {readonly Column<LoadRow>[]} */
const COLUMNS = [
  words('server', ({ server }) => server),
  { title: 'requests/s', value: ({ perSecond }) => perSecond, format: fixed(0) },
  .../** @type {const} */ (['p50', 'p90', 'p99', 'max']).map((title) => ({
    title,
    unit: 'ms',
    value: (/** @type {LoadRow} */ row) => row[`${title}Ms`],
    format: formatMs,
  })),
  { title: 'answered', value: ({ answered }) => answered },
  words('errors', ({ errors }) => formatErrors(errors)),
];

/** @param {string} server its name @param {Tally} tally @param {Rest} rest @returns {LoadRow} */
export function rowOf(server, { latenciesMs, errors, completedCount, elapsedMs }, rest) {
  const sorted = sort(latenciesMs);
  const seconds = elapsedMs / 1000;
  return {
    server,
    answered: sorted.length,
    completed: completedCount,
    errors: Object.fromEntries(errors),
    seconds,
    perSecond: seconds > 0 ? sorted.length / seconds : undefined,
    p50Ms: median(sorted),
    p90Ms: percentile(sorted, 90),
    p99Ms: percentile(sorted, 99),
    maxMs: sorted.at(-1),
    ...rest,
  };
}

/** @param {LoadPlan} plan @param {Measured & { startedAt: Date }} measured @returns {LoadReport} */
export function reportOf(plan, { startedAt, ...measured }) {
  return {
    ...plan,
    startedAt: startedAt.toISOString(),
    node: process.version,
    cpus: os.availableParallelism(),
    ...measured,
  };
}

/** @param {LoadReport} report @param {'text' | 'json' | 'markdown'} format @returns {string} */
export function formatReport(report, format) {
  if (format === 'json') return `${JSON.stringify(report, null, 1)}\n`;
  const table = { columns: COLUMNS, rows: report.rows };
  const lines = format === 'markdown' ? toMarkdown(table) : toText(table);
  return [describeLoad(report), '', ...lines, '', ...describeRows(report)].join('\n').trimEnd().concat('\n');
}

/** @param {LoadReport} report */
function describeLoad({ transport, requests, concurrency, cpus, node, startedAt }) {
  return `${labelOf(transport)}: ${requests} messages over ${concurrency} connections, one at a time on each. Load from Node.js ${node}, ${cpus} CPUs, ${startedAt.slice(0, 10)}.`;
}

/** @param {LoadReport} report @returns {string[]} sentences */
function describeRows({ requests, rows, cpus, sharesCpus, ending = '' }) {
  const busy = `this client was more than ${100 * BUSY}% busy at its peak, so the server may handle more requests.`;
  return [
    sharesCpus
      ? `The load and the servers shared ${cpus} CPU${cpus === 1 ? '' : 's'}: on a machine of its own, a server may handle more.`
      : '',
    ...rows.map(({ server, busiest }) => (busiest > BUSY ? `${server}: ${busy}` : '')),
    ...rows.map(({ server, completed }) =>
      completed < requests ? `${server}: only ${completed} of ${requests} messages were sent.` : '',
    ),
    rows.some(isRefused) ? 'The server refused or closed connections: it has limits (SECURITY.md).' : '',
    ending,
  ].filter(Boolean);
}

/** @param {LoadRow} row */
const isRefused = ({ errors }) => REFUSALS.some((type) => errors[type] > 0);

/** @param {Record<string, number>} errors */
const formatErrors = (errors) =>
  Object.entries(errors)
    .map(([type, count]) => `${count} ${type}`)
    .join(', ') || '0';
