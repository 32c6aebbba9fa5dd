/**
 * The experiment of 2019: a count is sent, comes back one lower, and is sent again until it is 0, by XHR or by a
 * WebSocket. Its time is from the first message sent to the last answer. The WebSocket is opened before; XHR cannot, so
 * the first request's connection counts.
 */
import { formatCsvLine } from '../../base/foreign-text.js';
import { formatMs } from '../../base/format.js';
import { totalMs, mean, sumOf } from '../../base/statistics.js';
import { OF_LINE } from '../../experiment/documents/fields.js';
import { choice, formatFields, integer, parseField } from '../../experiment/fields.js';
import {
  endingOf,
  formatUnfinished,
  MAX_RECORDS,
  formatNotes as formatLoneNotes,
  isReused,
  lone,
  samples,
  schemaOfRecord,
} from '../../experiment/lone-trials.js';
import { formatServer } from '../../experiment/names.js';
import { runTrial } from '../../net/echo/trial.js';
import { labelOf } from '../../net/labels.js';

/**
 * @import { Chart, Column, Measurement, Report } from '../../experiment/contract.js'
 * @import { DocumentFields, Valibot } from '../../experiment/documents/fields.js'
 * @import { Now } from '../../base/clock.js'
 * @import { PlanOf } from '../../experiment/fields.js'
 * @import { Transport } from '../../net/echo/index.js'
 * @import { Trial } from '../../net/echo/trial.js'
 * @import { InferOutput } from 'valibot'
 * @typedef {keyof typeof ENDPOINTS} CountdownTransport
 * @typedef {PlanOf<typeof FIELDS>} Choice
 * @typedef {Omit<CountdownTest, 'startedAt' | 'wasHidden'>} Countdown `elapsedMs`: absent where it did not come to 0
 * @typedef {ReturnType<typeof meansOf>[0]} TransportMean
 * @typedef {{ plan: Choice, transports: Record<string, Transport>, now: Now, timeoutMs?: number, signal?: AbortSignal }}
 *   Options `transports`: at the {@link ENDPOINTS}; `timeoutMs`: limit of one answer
 * @typedef {InferOutput<ReturnType<typeof submissionSchemaOf>>} Submission `runs` as that client sent them; `time`: ms
 * @typedef {InferOutput<ReturnType<typeof headSchema>> & { schema: string, tests: InferOutput<ReturnType<typeof
 *   trialSchema>>[] }} CountdownDocument `choice`: what was asked for last
 * @typedef {CountdownDocument['tests'][0] & { elapsedMs?: number }} CountdownTest
 * @typedef {Omit<CountdownDocument, 'schema' | 'tests' | 'environment'> & { environment?: CountdownDocument['environment'],
 *   tests: CountdownTest[] }} CountdownResult `environment`: absent where the app of 2019 measured
 */

const SCHEMA = 'sockshootout/countdown/2';

export const ENDPOINTS = Object.freeze({ xhr: '/xhr', websocket: '/ws' });

/**
 * What one press makes, by name in a link; XHR first, as in 2019.
 * @type {Readonly<Record<string, { label: string, transports: readonly CountdownTransport[], rounds: number }>>}
 */
export const KINDS = Object.freeze({
  xhr: { label: 'XHR', transports: ['xhr'], rounds: 1 },
  websocket: { label: 'WebSocket', transports: ['websocket'], rounds: 1 },
  both: { label: 'One of each', transports: ['xhr', 'websocket'], rounds: 1 },
  both3: { label: 'One of each, 3 times', transports: ['xhr', 'websocket'], rounds: 3 },
});

const ITERATIONS = integer({ parameter: 'Iterations', label: 'Iterations', min: 1, max: 1000 });

const FIELDS = Object.freeze({
  iterations: integer({ ...ITERATIONS, parameter: 'iterations', help: 'the number to count down from', default: 100 }),
  kind: choice({
    parameter: 'kind',
    label: 'Tests',
    choices: Object.fromEntries(Object.entries(KINDS).map(([name, { label }]) => [name, label])),
    default: 'both',
  }),
});

/**
 * The first failure ends a test, but only a cancel keeps the next one from being made.
 * @type {Measurement<Options, { transport: CountdownTransport, iterations: number }, Countdown>}
 */
const measurement = {
  schema: SCHEMA,
  trialsOf({ iterations, kind }) {
    const { transports, rounds } = KINDS[kind];
    return Array.from({ length: rounds }, () => transports.map((transport) => ({ transport, iterations }))).flat();
  },
  async runTrial({ transport: name, iterations }, { transports, now, timeoutMs, progress, signal }) {
    const options = { now, iterations, timeoutMs, progress, signal, maxFailuresInARow: 1 };
    const trial = await runTrial({ ...options, transport: transports[name], step: -1 });
    return { trial, elapsedMs: elapsedOf(trial), ending: endingOf(trial, signal) };
  },
  watchFaults: () => ({ look: () => undefined }),
};

/** First message to last answer; absent where it did not come to 0. @param {Trial} trial @returns {number | undefined} */
const elapsedOf = ({ samples, iterations }) => (samples.iteration.length < iterations ? undefined : totalMs(samples));

/** @param {readonly Countdown[]} tests @param {string} transport */
const testsBy = (tests, transport) => tests.filter(({ trial }) => trial.transport === transport);

/** Both, and what else a client of 2019 named. @param {readonly Countdown[]} tests @returns {string[]} */
const transportsOf = (tests) => [...new Set([...Object.keys(ENDPOINTS), ...tests.map(({ trial }) => trial.transport)])];

/** @param {string} transport @returns {string} the name of a custom property, without its dashes */
export const colourOf = (transport) => (Object.hasOwn(ENDPOINTS, transport) ? transport : 'chart-text');

/** Each test counts alike, so that the means can be checked with the table. @param {readonly Countdown[]} tests */
export function meansOf(tests) {
  return transportsOf(tests).map((transport) => {
    const own = testsBy(tests, transport);
    const finished = own.flatMap((test) => msPerIteration(test) ?? []);
    const meanMs = mean(finished);
    return { transport, meanMs, finishedCount: finished.length, unfinishedCount: own.length - finished.length };
  });
}

/** Absent where it did not come to 0. @param {Countdown} test @returns {number | undefined} */
export const msPerIteration = ({ trial: { iterations }, elapsedMs }) =>
  elapsedMs === undefined ? undefined : elapsedMs / iterations;

/** Typed, or from a link. @param {string} text @returns {number} @throws {InvalidInputError} what, expected, got */
export const parseIterations = (text) => parseField(text, ITERATIONS);

/** One of {@link KINDS}. @param {string} text @returns {string} @throws {InvalidInputError} what, expected, got */
export const parseKind = (text) => parseField(text, { ...FIELDS.kind, parameter: 'Kind' });

/** A link's query, which makes the same tests as soon as it is opened. @param {Choice} chosen */
export const formatLink = (chosen) => `${formatFields(chosen, FIELDS)}&autostart=1`;

/** How it ended before it came to 0. @param {Countdown} test @returns {string} */
export const formatEnd = ({ trial, ending }) =>
  formatUnfinished({ trial, ending }, `${trial.samples.iteration.length} of ${trial.iterations}`);

/** The fastest first. @param {readonly Countdown[]} tests @returns {string} */
function formatMeans(tests) {
  const figures = meansOf(tests)
    .flatMap(({ transport, meanMs, finishedCount }) =>
      meanMs === undefined ? [] : [{ transport, meanMs, finishedCount }],
    )
    .sort((a, b) => a.meanMs - b.meanMs)
    .map((mean) => `${labelOf(mean.transport)} ${formatMs(mean.meanMs)} ms (${countOf(mean.finishedCount)})`);
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

/** What the tests' means are, and what they do not tell. @param {readonly Countdown[]} tests @returns {string} sentences */
export const describeMeans = (tests) => `${formatMeans(tests)}. ${describeLimits(tests)}`.trim();

/** @param {number} count */
const countOf = (count) => `${count} ${count === 1 ? 'test' : 'tests'}`;

export const SUBMISSION_SCHEMA = 'sockshootout/submission-2019/1';

/** @param {{ schema: string }} given @returns {given is Submission} */
const isSubmission = (given) => given.schema === SUBMISSION_SCHEMA;

const NAME = new RegExp(`^${OF_LINE}{1,100}$`, 'u');
/** Lists have one entry for each, and the app of 2019 knew two. */
export const MAX_NAMES = 10;

/** @param {Valibot} v @param {DocumentFields} fields */
export function submissionSchemaOf(v, { ms, within }) {
  const run = v.strictObject({
    test: v.pipe(v.string(), v.regex(NAME, 'expected a name of 1 to 100 characters in one line')),
    iterations: within({ min: 1, max: 100_000 }),
    time: v.pipe(ms, v.minValue(0.001, 'expected at least 0.001 ms')),
  });
  return v.strictObject({
    schema: v.literal(SUBMISSION_SCHEMA),
    runs: v.pipe(
      v.array(run),
      v.minLength(1),
      v.maxLength(MAX_RECORDS),
      v.check(
        (runs) => new Set(runs.map(({ test }) => test)).size <= MAX_NAMES,
        `expected at most ${MAX_NAMES} different names of tests`,
      ),
    ),
  });
}

/** Without samples; `choice`: tests like the first one. @param {Submission} submission @returns {CountdownResult} */
function fromSubmission({ runs }) {
  const tests = runs.map(({ test, iterations, time }) => ({
    trial: { transport: test === 'ws' ? 'websocket' : test, iterations, samples: { iteration: [] }, failures: [] },
    elapsedMs: time,
  }));
  const choice = { iterations: Math.min(runs[0].iterations, ITERATIONS.max), kind: 'both' };
  return { choice, tests: /** @type {any[]} */ (tests) };
}

/** @param {Submission} submission @returns {string} CSV, a line for each test */
function formatSubmissionCsv({ runs }) {
  const rows = runs.map(({ test, iterations, time }, index) => [index + 1, test, iterations, time]);
  return [['number', 'test', 'iterations', 'time_ms'], ...rows].map(formatCsvLine).join('');
}

/** @param {Valibot} v @param {DocumentFields} fields */
const headSchema = (v, { ms, environment, within }) =>
  v.strictObject({
    environment,
    choice: v.strictObject({ iterations: within(ITERATIONS), kind: v.picklist(Object.keys(KINDS)) }),
    coldSetUpMs: v.optional(ms),
  });

/** @param {Valibot} v @param {DocumentFields} fields */
const trialSchema = (v, fields) => schemaOfRecord(v, fields, {});

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

/** What connecting took, which 2019 left out. @param {Pick<CountdownResult, 'tests' | 'coldSetUpMs'>} result */
export function formatSetUp({ tests, coldSetUpMs }) {
  const byXhr = testsBy(tests, 'xhr');
  const opened = formatSetUps(byXhr.filter(({ trial }) => trial.samples.iteration.length > 0));
  const isAnyReused = byXhr.some(isReused);
  const connected = formatSetUps(testsBy(tests, 'websocket'));
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

/** @param {readonly Countdown[]} tests @returns {string} empty where none has a time */
function formatSetUps(tests) {
  const values = tests.flatMap(({ trial }) => trial.setUpMs ?? []);
  if (values.length === 0) return '';
  return `${mean(values)?.toFixed(1)} ms${values.length === 1 ? '' : `, mean of ${values.length}`}`;
}

/** @param {Pick<CountdownResult, 'tests' | 'environment'>} result @returns {string} to be said beside the table */
export function formatNotes({ tests, environment }) {
  if (!environment)
    return 'The client of 2019 reported these times. It sent no samples, so this site cannot check them.';
  const notes = formatLoneNotes({ environment, records: [] });
  const hidden = tests.flatMap(({ wasHidden }, index) => (wasHidden ? [index + 1] : []));
  if (hidden.length === 0) return notes;
  const which = `${hidden.length === 1 ? 'test' : 'tests'} ${hidden.join(', ')}`;
  return `${notes} This tab was hidden during ${which}. Browsers slow hidden tabs down, so these times, and means with them, are invalid.`;
}

/** @param {CountdownResult} result @returns {Report} */
function report(result) {
  const { environment, tests } = result;
  return {
    heading: 'Time of the messages',
    sentences: [describeMeans(tests)],
    notes: [formatSetUp(result), formatNotes(result), environment ? describeServer(tests) : ''].filter(Boolean),
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
  return `Server: ${server ? formatServer(server) : 'unknown'}.`;
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
  headSchema,
  trialSchema,
  ...samples,
  records: 'tests',
  fromDocument,
  planOf: (document) => fromDocument(document).choice,
  isOwn: (/** @type {CountdownTest} */ { trial }) =>
    Object.hasOwn(ENDPOINTS, trial.transport) && trial.iterations <= ITERATIONS.max,
  ownWords: () => `a test by ${Object.keys(ENDPOINTS).join(' or ')} of at most ${ITERATIONS.max} iterations that`,
  headlineOf: (/** @type {CountdownResult} */ { environment, tests }) =>
    environment
      ? { headline: formatMeans(tests), detail: describeLimits(tests) }
      : {
          // Its names may be long, and many.
          headline: `${countOf(tests.length)} of the count-down, as reported`,
          detail: `As reported: ${describeMeans(tests)}`,
        },
  report,
});

/** The count-down of 2019, as measured here, and as the app of 2019 shared it. */
export const countdown = Object.freeze({
  ...own,
  schemaOf: (/** @type {Valibot} */ v, /** @type {DocumentFields} */ fields) =>
    v.variant('schema', [/** @type {any} */ (own.schemaOf(v, fields)), submissionSchemaOf(v, fields)]),
  problemOf: (/** @type {any} */ document) => (isSubmission(document) ? undefined : own.problemOf(document)),
  formatCsv: (/** @type {any} */ document) =>
    isSubmission(document) ? formatSubmissionCsv(document) : own.formatCsv(document),
});
