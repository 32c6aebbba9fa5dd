/** The count-down of 2019: its documents, its report, its exports. */
import { escape } from '../../base/foreign-text.js';
import { formatMs } from '../../base/format.js';
import { mean } from '../../base/statistics/values.js';
import { formatServer } from '../../experiment/names.js';
import { formatNotes as formatLoneNotes, isReused, lone, schemaOfRecords } from '../../experiment/lone-trials.js';
import { toMarkdown } from '../../experiment/table.js';
import { labelOf } from '../../net/labels.js';
import {
  colourOf,
  describeMeans,
  elapsedOf,
  ENDPOINTS,
  FIELDS,
  formatEnd,
  formatLink,
  ITERATIONS,
  KINDS,
  measurement,
  msPerIteration,
  SCHEMA,
  testsBy,
  transportsOf,
} from './measure.js';
import {
  formatSubmissionCsv,
  fromSubmission,
  isSubmission,
  SUBMISSION_SCHEMA,
  submissionSchemaOf,
} from './submission.js';

/**
 * @import { InferOutput } from 'valibot'
 * @import { Chart, Report } from '../../experiment/contract.js'
 * @import { Fields, Valibot } from '../../experiment/documents/fields.js'
 * @import { Column } from '../../experiment/table.js'
 * @import { Choice, Countdown } from './measure.js'
 * @import { Submission } from './submission.js'
 *
 * @typedef {InferOutput<ReturnType<typeof schemaOf>>} CountdownDocument what was measured, and nothing that can be computed
 *   from it; `choice`: what was asked for last; `coldSetUpMs`: of one new connection of XHR, where it used one that was open
 * @typedef {CountdownDocument['tests'][0] & { elapsedMs?: number }} CountdownTest
 * @typedef {Omit<CountdownDocument, 'schema' | 'tests' | 'environment'> & { environment?: CountdownDocument['environment'],
 *   tests: CountdownTest[] }} CountdownResult `environment`: absent where the app of 2019 measured
 */

/** @param {Valibot} v @param {Fields} fields */
function schemaOf(v, fields) {
  return v.strictObject({
    schema: v.literal(SCHEMA),
    environment: fields.environment,
    choice: v.strictObject({ iterations: fields.within(ITERATIONS), kind: v.picklist(Object.keys(KINDS)) }),
    coldSetUpMs: v.optional(fields.ms),
    tests: schemaOfRecords(v, fields, {}),
  });
}

/** @param {CountdownResult} result with its environment @returns {CountdownDocument} */
export function toDocument({ tests, ...others }) {
  const document = { schema: SCHEMA, ...others, tests: tests.map(({ elapsedMs: _, ...test }) => test) };
  return /** @type {CountdownDocument} */ (document);
}

/** @param {CountdownDocument | Submission} document @returns {CountdownResult} */
export const fromDocument = (document) => (isSubmission(document) ? fromSubmission(document) : fromOwn(document));

/** @param {CountdownDocument} document */
function fromOwn({ schema: _, tests, ...others }) {
  return { ...others, tests: tests.map((test) => ({ ...test, elapsedMs: elapsedOf(test.trial) })) };
}

/** @param {CountdownResult} result */
export const formatJson = (result) => `${JSON.stringify(toDocument(result))}\n`;

/** @type {readonly Column<Countdown>[]} */
export const COLUMNS = [
  { title: '#', name: 'number', value: (_, index) => index + 1 },
  { title: 'Test', isText: true, isKey: true, value: ({ trial }) => labelOf(trial.transport) },
  { title: 'Iterations', name: 'iterations', isKey: true, value: ({ trial }) => trial.iterations },
  {
    title: 'Time',
    name: 'time_ms',
    unit: 'ms',
    value: (test) => (test.elapsedMs === undefined ? formatEnd(test) : formatMs(test.elapsedMs)),
  },
  // What ended a test reaches over this one.
  {
    title: 'ms per message',
    name: 'ms_per_iteration',
    value: (test) => msPerIteration(test) ?? null,
    format: formatMs,
  },
];

/**
 * What connecting took, which 2019 left out of its times.
 * @param {Pick<CountdownResult, 'tests' | 'coldSetUpMs'>} result @returns {string} a sentence; empty where nothing is known
 */
export function formatSetUp({ tests, coldSetUpMs }) {
  const parts = [];
  const byXhr = testsBy(tests, 'xhr');
  const opened = formatSetUps(byXhr.filter(({ trial }) => trial.samples.iteration.length > 0));
  const isAnyReused = byXhr.some(isReused);
  const cost =
    coldSetUpMs === undefined
      ? 'what a new one takes could not be measured'
      : `a new one took ${coldSetUpMs.toFixed(1)} ms, one sample`;
  if (opened) parts.push(`XHR opened a connection in ${opened}, which is in the times`);
  if (isAnyReused) parts.push(`${opened ? 'it' : 'XHR'} used a connection that was open (${cost})`);
  const connected = formatSetUps(testsBy(tests, 'websocket'));
  if (connected) parts.push(`WebSocket connected in ${connected}, which is not in the times`);
  return parts.length === 0 ? '' : `Connection setup: ${parts.join('; ')}.`;
}

/** @param {readonly Countdown[]} tests @returns {string} empty where none has a time */
function formatSetUps(tests) {
  const values = tests.flatMap(({ trial }) => trial.setUpMs ?? []);
  if (values.length === 0) return '';
  return `${mean(values)?.toFixed(1)} ms${values.length === 1 ? '' : ` (mean of ${values.length})`}`;
}

/** What must be said beside the table. @param {Pick<CountdownResult, 'tests' | 'environment'>} result @returns {string} */
export function formatNotes({ tests, environment }) {
  if (!environment)
    return 'The client of 2019 reported these times. It sent no samples, so this site cannot check them.';
  const notes = formatLoneNotes({ environment, runs: [] });
  const hidden = tests.flatMap(({ wasHidden }, index) => (wasHidden ? [index + 1] : []));
  return hidden.length === 0
    ? notes
    : `${notes} This tab was hidden during test ${hidden.join(', ')}: browsers slow hidden tabs down, so this test is invalid, and so is a mean with it.`;
}

/** @param {CountdownResult} result @returns {Report} */
function report(result) {
  const { tests } = result;
  return {
    heading: 'Time of the messages',
    sentences: [describeMeans(tests)],
    notes: [formatSetUp(result), formatNotes(result), describeServer(tests)].filter(Boolean),
    tables: [{ columns: COLUMNS, rows: tests }],
    charts: [chartOf(tests)],
  };
}

/** @param {readonly Countdown[]} tests @returns {Chart} */
function chartOf(tests) {
  return {
    caption: 'Time per message, in the order of the tests; lower is faster',
    x: { title: 'test', format: (number) => (Number.isInteger(number) ? String(number) : '') },
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

/** @param {readonly Countdown[]} tests */
function describeServer(tests) {
  const server = tests.find(({ trial }) => trial.server)?.trial.server;
  return `Server: ${server ? formatServer(server) : 'not known'}.`;
}

/** @param {CountdownResult} result @returns {string} */
export function formatMarkdown(result) {
  const { environment, choice, tests } = result;
  return [
    '### SockShootout, the count-down of 2019',
    '',
    ...toMarkdown({ columns: COLUMNS, rows: tests }),
    '',
    escape(describeMeans(tests)),
    '',
    [formatSetUp(result), formatNotes(result)].filter(Boolean).join(' '),
    '',
    ...(environment
      ? [
          describeServer(tests),
          `Page: ${environment.url}?${formatLink(choice)}, ${tests[0].startedAt}, ${environment.userAgent}.`,
          '',
        ]
      : []),
  ].join('\n');
}

const own = lone({
  ...measurement,
  name: 'countdown',
  label: 'Count-down of 2019',
  path: '/countdown',
  intro: 'How does XHR compare with WebSocket when the server answers each number with the one below it?',
  fields: FIELDS,
  linkPath: (/** @type {Choice} */ plan) => `/countdown?${formatLink(plan)}`,
  describePlan: (/** @type {Choice} */ { iterations, kind }) =>
    `${KINDS[kind].label}, counted down from ${iterations}.`,
  describeTrial: ({ transport }) => labelOf(transport),
  otherSchema: SUBMISSION_SCHEMA,
  schemaOf: (v, fields) => v.variant('schema', [schemaOf(v, fields), submissionSchemaOf(v, fields)]),
  records: 'tests',
  fromDocument,
  planOf: (document) => fromDocument(document).choice,
  isOwn: (/** @type {CountdownTest} */ { trial }) =>
    Object.hasOwn(ENDPOINTS, trial.transport) && trial.iterations <= ITERATIONS.max,
  ownWords: () => `a test by ${Object.keys(ENDPOINTS).join(' or ')} of at most ${ITERATIONS.max} iterations that`,
  headlineOf: (/** @type {CountdownResult} */ { environment, tests }) => ({
    headline: `${tests.length} ${tests.length === 1 ? 'test' : 'tests'} of the count-down${environment ? '' : ', as reported'}`,
    detail: describeMeans(tests),
  }),
  report,
  formatResult: formatMarkdown,
});

/** The count-down of 2019, as measured here, and as the app of 2019 shared it. */
export const countdown = Object.freeze({
  ...own,
  problemOf: (/** @type {any} */ document) => (isSubmission(document) ? undefined : own.problemOf(document)),
  formatCsv: (/** @type {any} */ document) =>
    isSubmission(document) ? formatSubmissionCsv(document) : own.formatCsv(document),
});
