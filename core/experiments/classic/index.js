/** The test of 2012: its plan, its document, its report, its exports. */
import { escape } from '../../base/foreign-text.js';
import { formatFailures } from '../../base/format.js';
import { summarize } from '../../base/statistics.js';
import { DIGEST_LIMITS } from '../../experiment/documents/digest.js';
import { formatServer } from '../../experiment/names.js';
import { choice, integers } from '../../experiment/fields.js';
import {
  formatNotes as formatLoneNotes,
  isReused,
  lone,
  MAX_RECORDS,
  samples,
  schemaOfRecord,
} from '../../experiment/lone-trials.js';
import { conditionsOf } from '../../experiment/report.js';
import { fixed, toMarkdown } from '../../experiment/table.js';
import { labelOf } from '../../net/labels.js';
import { elapsedOf, formatClassic, ITERATIONS, measurement, PATHS, SCHEMA, chartOf } from './measure.js';

/**
 * @import { InferOutput } from 'valibot'
 * @import { Summary } from '../../base/statistics.js'
 * @import { Column, DigestPart, Report, Table } from '../../experiment/contract.js'
 * @import { DocumentFields, Valibot } from '../../experiment/documents/fields.js'
 * @import { PlanOf } from '../../experiment/fields.js'
 * @import { Trial } from '../../net/echo/trial.js'
 *
 * @typedef {InferOutput<ReturnType<typeof headSchema>> & { schema: string, runs: InferOutput<ReturnType<typeof
 *   trialSchema>>[] }} ClassicDocument `coldSetUpMs`: where the runs reused a connection
 * @typedef {Omit<ClassicDocument, 'schema' | 'runs'> & { runs: ClassicRecord[] }} ClassicResult
 * @typedef {ClassicDocument['runs'][0] & { elapsedMs?: number }} ClassicRecord `elapsedMs`: whole milliseconds, at least 1
 * @typedef {{ trial: Trial, summary: Summary }} ClassicRow
 * @typedef {PlanOf<typeof FIELDS>} ClassicPlan
 */

const FIELDS = Object.freeze({
  transport: choice({
    parameter: 'transport',
    label: 'Transport',
    choices: Object.fromEntries(Object.keys(PATHS).map((name) => [name, labelOf(name)])),
    default: 'ajax',
  }),
  iterations: integers({
    ...ITERATIONS,
    parameter: 'iterations',
    help: 'messages per run, one run for each number',
    maxCount: MAX_RECORDS,
    isSequence: true,
    default: [10, 100, 1000],
  }),
});

/** @param {Valibot} v @param {DocumentFields} fields */
const headSchema = (v, { ms, environment }) =>
  v.strictObject({ transport: v.picklist(Object.keys(PATHS)), coldSetUpMs: v.optional(ms), environment });

/** @param {Valibot} v @param {DocumentFields} fields */
const trialSchema = (v, fields) => schemaOfRecord(v, fields, { clickedAtMs: fields.reading });

/** @param {ClassicResult} result @returns {ClassicDocument} */
export function toDocument({ runs, ...others }) {
  return { schema: SCHEMA, ...others, runs: runs.map(({ elapsedMs: _, ...run }) => run) };
}

/** @param {ClassicDocument} document @returns {ClassicResult} */
export function fromDocument({ schema: _, runs, ...others }) {
  return { ...others, runs: runs.map((run) => ({ ...run, elapsedMs: elapsedOf(run) })) };
}

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
  { title: 'p50', name: 'p50_ms', unit: 'ms', value: ({ summary }) => summary.p50Ms, format: fixed(3) },
  { title: 'p95', name: 'p95_ms', unit: 'ms', value: ({ summary }) => summary.p95Ms, format: fixed(3) },
  { title: 'p99', name: 'p99_ms', unit: 'ms', value: ({ summary }) => summary.p99Ms, format: fixed(3) },
  { title: 'Samples', name: 'samples', value: ({ summary }) => summary.sampleCount },
  { title: 'Failures', name: 'failures', value: ({ trial }) => formatFailures(trial.failures) },
];

/** The fine clock's figures. @param {Pick<ClassicResult, 'environment' | 'runs'>} result @returns {Table<ClassicRow>} */
export function tabulateClassic({ environment, runs }) {
  return { columns: COLUMNS, rows: runs.map(({ trial }) => ({ trial, summary: summarize(trial, environment) })) };
}

/** @param {ClassicResult} result @returns {Report} */
function report(result) {
  return {
    heading: 'Messages per second',
    sentences: result.runs.map(formatClassic),
    notes: [formatNotes(result), describeServer(result)],
    tables: [tabulateClassic(result)],
    charts: [chartOf([{ words: '', runs: result.runs }])],
  };
}

/** @param {Pick<ClassicResult, 'coldSetUpMs' | 'environment' | 'runs'>} result @returns {string} to be said beside the table */
export const formatNotes = ({ runs, ...result }) => formatLoneNotes({ ...result, records: runs });

/** @param {ClassicResult} result */
function describeServer({ runs }) {
  const server = runs[0]?.trial.server;
  return `Server: ${server ? `${formatServer(server)}, worker ${server.worker}` : 'unknown'}.`;
}

/** The lines of 2012 stay lines. What ended a run is foreign text, and no part of such a block. @param {ClassicRecord} run */
function linesOf(run) {
  const line = formatClassic(run);
  return run.elapsedMs === undefined ? ['', escape(line), ''] : [`    ${line}`];
}

/** @param {ClassicResult} result @returns {string} */
export function formatMarkdown(result) {
  const { transport, environment, runs } = result;
  return [
    `### SockShootout, ${transport}`,
    '',
    ...runs.flatMap(linesOf),
    '',
    ...toMarkdown(tabulateClassic(result)),
    '',
    escape(conditionsOf(classic, result) ?? ''),
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

/** @type {DigestPart} */
const digestPart = {
  schemaOf(v) {
    const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
    const runs = v.array(v.strictObject({ iterations: count, elapsedMs: v.optional(count) }));
    return v.pipe(runs, v.maxLength(DIGEST_LIMITS.listLength), v.description('The first runs of a classic test'));
  },
  partOf: (/** @type {ClassicResult} */ { runs }) =>
    runs.map(({ trial: { iterations }, elapsedMs }) => ({ iterations, elapsedMs })),
};

/** The test of 2012. */
export const classic = lone({
  ...measurement,
  name: 'classic',
  label: 'Classic test of 2012',
  fields: FIELDS,
  linkPath: (/** @type {ClassicPlan} */ { transport, iterations }) =>
    `${PATHS[transport]}?iterations=${iterations}&autostart=1`,
  describePlan: (/** @type {ClassicPlan} */ { transport, iterations }) =>
    `${iterations.join(', ')} messages by ${labelOf(transport)}, one at a time, as in 2012.`,
  describeTrial: ({ iterations }) => `${iterations} iterations`,
  headSchema,
  trialSchema,
  ...samples,
  records: 'runs',
  fromDocument,
  planOf: (/** @type {ClassicDocument} */ { transport, runs }) => ({
    transport,
    iterations: runs.map(({ trial }) => trial.iterations),
  }),
  isOwn: (/** @type {ClassicRecord} */ { clickedAtMs, trial }, { transport }) =>
    trial.transport === transport && clickedAtMs <= trial.startedAtMs,
  ownWords: ({ transport }) => `a run by ${labelOf(transport)} that began after its click and`,
  headlineOf(/** @type {ClassicResult} */ { transport, runs }) {
    const lines = runs.map(formatClassic);
    return {
      headline: `${labelOf(transport)}: ${lines[lines.length - 1]}`,
      detail: lines.join(' · '),
    };
  },
  digestPart,
  report,
  formatMarkdown: (document, findings) => formatMarkdown(findings?.summary ?? fromDocument(document)),
  isByTransport: true,
});
