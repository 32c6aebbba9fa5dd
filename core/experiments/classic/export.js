/**
 * The classic runs, to take along: as JSON with every sample, as Markdown to paste.
 */
import { formatNotes, isReused } from '../../experiment/lone-trials.js';
import { summarize } from '../../base/statistics/summary.js';
import { measurement, elapsedOf, formatClassic } from './measure.js';

/**
 * @import { Environment } from '../../experiment/environment.js'
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

/**
 * @param {ClassicResult} result
 * @returns {ClassicDocument}
 */
export function toDocument({ transport, coldSetUpMs, environment, runs }) {
  return {
    schema: measurement.schema,
    transport,
    coldSetUpMs,
    environment,
    runs: runs.map(({ elapsedMs: _, ...run }) => run),
  };
}

/**
 * @param {ClassicDocument} document
 * @returns {ClassicResult}
 */
export function fromDocument({ schema: _, runs, ...others }) {
  return { ...others, runs: runs.map((run) => ({ ...run, elapsedMs: elapsedOf(run) })) };
}

/**
 * @param {ClassicResult} result
 * @returns {string} JSON
 */
export function formatJson(result) {
  return `${JSON.stringify(toDocument(result))}\n`;
}

/**
 * The columns of the fine clock's figures, the same on the page and in Markdown.
 *
 * @param {ClassicRecord} run
 * @param {Environment} environment
 * @returns {string[]} iterations, protocol, set-up, steady rate, p50, p95, p99, samples, failures
 */
export function formatRow({ trial }, environment) {
  const summary = summarize(trial, environment);
  return [
    String(trial.iterations),
    trial.protocol ?? '–',
    formatSetUp(trial),
    formatNumber(summary.messagesPerSecond, 1),
    formatNumber(summary.p50Ms, 3),
    formatNumber(summary.p95Ms, 3),
    formatNumber(summary.p99Ms, 3),
    String(summary.sampleCount),
    formatFailures(trial),
  ];
}

/**
 * @param {ClassicResult} result
 * @returns {string}
 */
export function formatMarkdown({ transport, coldSetUpMs, environment, runs }) {
  const [first] = runs;
  const { server } = first.trial;
  return [
    `### SockShootout, ${transport}`,
    '',
    ...runs.map((run) => `    ${formatClassic(run)}`),
    '',
    '| iterations | protocol | set-up, ms | steady messages/s | p50, ms | p95, ms | p99, ms | samples | failures |',
    '| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...runs.map((run) => `| ${formatRow(run, environment).join(' | ')} |`),
    '',
    formatNotes({ coldSetUpMs, environment, runs }),
    '',
    `Server: ${server ? `${server.server}${server.location && `, ${server.location}`}, version ${server.version}, worker ${server.worker}` : 'not known'}.`,
    `Page: ${environment.url}, ${first.startedAt}, ${environment.userAgent}.`,
    '',
  ].join('\n');
}

/** @param {Trial} trial */
function formatSetUp(trial) {
  return isReused({ trial }) ? 'reused' : formatNumber(trial.setUpMs, 1);
}

/** @param {Trial} trial */
function formatFailures({ failures }) {
  const counts = new Map();
  for (const { outcome } of failures) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  const kinds = [...counts].map(([outcome, count]) => `${count} ${outcome}`);
  return kinds.length === 0 ? '0' : kinds.join(', ');
}

/**
 * @param {number | undefined} value
 * @param {number} decimals
 * @returns {string} a dash where there is no value
 */
function formatNumber(value, decimals) {
  return value === undefined ? '–' : value.toFixed(decimals);
}
