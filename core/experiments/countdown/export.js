/** The tests of the count-down, to show and to export: as JSON with every sample, as Markdown to paste. */
import { mean } from '../../base/statistics/mean.js';
import { labelOf } from '../../net/echo/labels.js';
import { formatNotes as formatClassicNotes, isReused } from '../../experiment/lone-trials.js';
import { formatServer } from '../../experiment/names.js';
import { fixed, toMarkdown } from '../../experiment/table.js';
import { measurement, describeMeans, elapsedOf, ENDPOINTS, formatEnd, formatLink, msPerIteration } from './measure.js';

/**
 * @import { Chart, Report } from '../../experiment/contract.js'
 * @import { Environment } from '../../experiment/run.js'
 * @import { Column } from '../../experiment/table.js'
 * @import { Countdown } from './measure.js'
 */

/**
 * @typedef {Countdown & { startedAt: string, wasHidden: boolean }} CountdownTest
 *
 * @typedef {object} CountdownResult
 * @property {Environment} environment
 * @property {{ iterations: number, kind: string }} choice what was asked for last
 * @property {number} [coldSetUpMs] of one new connection of XHR, where it used one that was open
 * @property {CountdownTest[]} tests in the order in which they were made
 */

/** @type {readonly Column<CountdownTest>[]} */
export const COLUMNS = [
  { title: '#', name: 'number', value: (_, index) => index + 1 },
  { title: 'Test', isText: true, isKey: true, value: ({ trial }) => labelOf(trial.transport) },
  { title: 'Iterations', name: 'iterations', isKey: true, value: ({ trial }) => trial.iterations },
  { title: 'Time', name: 'time_ms', unit: 'ms', value: (test) => test.elapsedMs?.toFixed(2) ?? formatEnd(test) },
  // What ended a test reaches over this one.
  { title: 'ms/iteration', name: 'ms_per_iteration', value: (test) => msPerIteration(test) ?? null, format: fixed(3) },
];

/**
 * What connecting took, which 2019 left out of its times.
 *
 * @param {Pick<CountdownResult, 'tests' | 'coldSetUpMs'>} result
 * @returns {string} a sentence; empty where nothing is known
 */
export function formatSetUp({ tests, coldSetUpMs }) {
  const parts = [formatXhrSetUp(tests, coldSetUpMs), formatSocketSetUp(tests)].filter((part) => part !== '');
  return parts.length === 0 ? '' : `Connection setup: ${parts.join('; ')}.`;
}

/** @param {readonly CountdownTest[]} tests @param {number} [coldSetUpMs] */
function formatXhrSetUp(tests, coldSetUpMs) {
  const own = tests.filter(({ trial }) => trial.transport === 'xhr' && trial.samples.iteration.length > 0);
  if (own.length === 0) return '';
  const opened = setUpsOf(own);
  const parts = [];
  if (opened.length > 0) {
    parts.push(`opened a connection in ${formatMean(opened)}, which is in the times`);
  }
  if (own.some(isReused)) {
    const cost =
      coldSetUpMs === undefined
        ? 'what a new one takes could not be measured'
        : `a new one took ${coldSetUpMs.toFixed(1)} ms, one sample`;
    parts.push(`used a connection that was open (${cost})`);
  }
  return `XHR ${parts.join('; it ')}`;
}

/** @param {readonly CountdownTest[]} tests */
function formatSocketSetUp(tests) {
  const setUps = setUpsOf(tests.filter(({ trial }) => trial.transport === 'websocket'));
  return setUps.length === 0 ? '' : `WebSocket connected in ${formatMean(setUps)}, which is not in the times`;
}

/** @param {readonly CountdownTest[]} tests */
function setUpsOf(tests) {
  return tests.flatMap(({ trial }) => trial.setUpMs ?? []);
}

/** @param {readonly number[]} values at least one */
function formatMean(values) {
  const text = `${Number(mean(values)).toFixed(1)} ms`;
  return values.length === 1 ? text : `${text} (mean of ${values.length})`;
}

/**
 * @param {Pick<CountdownResult, 'tests' | 'environment'>} result
 * @returns {string} what must be said beside the table, in one or more sentences
 */
export function formatNotes({ tests, environment }) {
  const hidden = tests.flatMap(({ wasHidden }, index) => (wasHidden ? [index + 1] : []));
  const sentences = [formatClassicNotes({ environment, runs: [] })];
  if (hidden.length > 0) {
    sentences.push(
      `This tab was hidden during test ${hidden.join(', ')}: browsers slow hidden tabs down, so this test is invalid, and so is a mean with it.`,
    );
  }
  return sentences.join(' ');
}

/**
 * @typedef {Omit<CountdownTest, 'elapsedMs'>} CountdownDocumentTest
 * @typedef {Omit<CountdownResult, 'tests'> & { schema: string, tests: CountdownDocumentTest[] }} CountdownDocument what
 *   was measured, and nothing that can be computed from it
 */

/** @param {CountdownResult} result @returns {CountdownDocument} */
export function toDocument({ environment, choice, coldSetUpMs, tests }) {
  return {
    schema: measurement.schema,
    environment,
    choice,
    coldSetUpMs,
    tests: tests.map(({ elapsedMs: _, ...test }) => test),
  };
}

/** @param {CountdownDocument} document @returns {CountdownResult} */
export function fromDocument({ schema: _, tests, ...others }) {
  return { ...others, tests: tests.map((test) => ({ ...test, elapsedMs: elapsedOf(test.trial) })) };
}

/** @param {CountdownResult} result @returns {string} JSON */
export function formatJson(result) {
  return `${JSON.stringify(toDocument(result))}\n`;
}

/** @param {CountdownResult} result @returns {Report} */
export function report(result) {
  const { tests } = result;
  return {
    heading: 'Time of the messages',
    sentences: [`Mean: ${describeMeans(tests)}`],
    notes: [formatSetUp(result), formatNotes(result), describeServer(tests)].filter(Boolean),
    tables: [{ columns: COLUMNS, rows: tests }],
    charts: [chartOf(tests)],
  };
}

/** @param {readonly CountdownTest[]} tests @returns {Chart} */
function chartOf(tests) {
  return {
    caption: 'Time per iteration, in the order of the tests; lower is faster',
    x: { title: 'test', format: (number) => (Number.isInteger(number) ? String(number) : '') },
    y: { title: 'ms/iteration', logBase: 10 },
    values: tests.map((_, i) => i + 1),
    lines: Object.keys(ENDPOINTS).map((transport) => ({
      label: labelOf(transport),
      colour: transport,
      hasPoints: true,
      values: tests.map((test) => (test.trial.transport === transport ? msPerIteration(test) || null : null)),
    })),
  };
}

/** @param {readonly CountdownTest[]} tests */
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
    `Mean: ${describeMeans(tests)}`,
    '',
    [formatSetUp(result), formatNotes(result)].filter((text) => text !== '').join(' '),
    '',
    describeServer(tests),
    `Page: ${environment.url}?${formatLink(choice)}, ${tests[0].startedAt}, ${environment.userAgent}.`,
    '',
  ].join('\n');
}
