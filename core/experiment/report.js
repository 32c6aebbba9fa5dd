/** Formats a run's report for terminals and Markdown. Public pages draw the same {@link Report}. */
import { escape, visible } from '../base/foreign-text.js';
import { labelOfProtocol } from '../net/labels.js';
import { listOf } from './compare.js';
import { describeLink } from './emulated-link.js';
import { nameBrowser, NEAR_MS, serverOf, titleOf } from './names.js';
import { cellsOf, headsOf, toMarkdown, toText, toTurnedText } from './table.js';
import { countTrials, protocolsOf, minOf, trialsOf } from './trials.js';

/**
 * @import { Described, Findings, Report, Table, TableLook } from './contract.js'
 * @typedef {Summarized & Pick<Described, 'label' | 'planPath'>} Reported
 */

/** The maximum width of a table in a terminal; a wider one is transposed: a column for each row. */
const TERMINAL_WIDTH = 120;

/**
 * @typedef {Pick<Described, 'summarize' | 'report' | 'roundTripsOf' | 'countsOf' | 'counted' | 'trialsIn'>} Summarized
 *   what makes a report
 */
/** @param {Summarized} experiment @param {any} document @returns {Findings} */
export function findingsOf({ summarize, report, ...experiment }, document) {
  const summary = summarize(document);
  return { summary, report: { conditions: conditionsOf(experiment, document), ...report(summary, document) } };
}

/** @param {Summarized} experiment @param {any} document @returns {Report} */
export const reportOf = (experiment, document) => findingsOf(experiment, document).report;

/**
 * Describes what was measured, where.
 * @param {Pick<Described, 'roundTripsOf' | 'countsOf' | 'counted' | 'trialsIn'>} experiment
 * @param {any} document @returns {string | undefined} sentences; absent if the document has no address
 */
export function conditionsOf(experiment, document) {
  const { roundTripsOf, counted = 'message' } = experiment;
  const { environment, statusBefore, ending } = document;
  if (!roundTripsOf || !environment) return undefined;
  const trials = trialsOf(experiment, document);
  const { link, ...unlinked } = environment;
  const status = statusBefore ?? trials.find(({ server }) => server)?.server;
  const server = titleOf({ digest: serverOf(unlinked, status) });
  // A trial of several users may have several protocols.
  const protocols = new Set(protocolsOf(trials).flatMap((names) => names.split(', ')));
  const over = protocols.size > 0 ? ` over ${listOf([...protocols].sort().map(labelOfProtocol))}` : '';
  const ms = minOf(roundTripsOf(document));
  const fastest = ms ? `, fastest round trip ${ms < 10 ? Number(ms.toPrecision(2)) : ms.toFixed(0)} ms` : '';
  const { sampleCount, failureCount } = countTrials(experiment, trials);
  const blockCount = new Set(trials.flatMap(({ block }) => block ?? [])).size;
  const counts = [count(sampleCount, counted), count(failureCount, 'failure')];
  // The last block of a run that ended early may be a part of one.
  if (blockCount > 0 && !ending) counts.unshift(count(blockCount, 'block'));
  const found = `${nameBrowser(environment.userAgent)} to ${server}${over}${fastest}. ${counts.join(', ')}.`;
  const advice = ms && ms < NEAR_MS && 'To measure for your users, run this test from where they are.';
  return [found, describeLink(link), advice].filter(Boolean).join(' ');
}

/** Formats a count, as in '3,264 messages'. @param {number} number @param {string} noun */
const count = (number, noun) => `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;

/**
 * @param {Reported} experiment @param {any} document @param {Report} [report]
 * @returns {string} to paste into an issue or a wiki
 */
export function formatMarkdown(experiment, document, report = reportOf(experiment, document)) {
  const { environment, startedAt, ending } = document;
  const { answer = '', conditions, notes = [], tables } = report;
  const sentences = sentencesOf(report);
  return [
    `### SockShootout: ${experiment.label}`,
    '',
    ...(ending ? [`**Invalid:** ${escape(ending.reason)}`, ''] : []),
    ...(conditions ? [[answer], [conditions], sentences] : [[answer, ...sentences]]).flatMap(paragraph),
    ...tables.flatMap(linesOfTable),
    ...paragraph(notes),
    ...(environment
      ? [`Plan: ${escape(linkOf(experiment, document))}, ${startedAt}, ${escape(environment.userAgent)}.`, '']
      : []),
  ].join('\n');
}

/**
 * @param {Table<any> & Pick<TableLook, 'heading' | 'note'>} table
 * @returns {string[]} Markdown, with an empty line at the end
 */
export function linesOfTable({ heading, note, ...table }) {
  return [...(heading ? [`#### ${heading}`, ''] : []), ...toMarkdown(table), '', ...(note ? [escape(note), ''] : [])];
}

/**
 * @param {Report} report @returns {string[]} all its sentences except its answer; those of charts after their headings
 */
export function sentencesOf({ sentences, charts }) {
  const ofCharts = charts.flatMap(({ heading, sentences: own = [] }) =>
    own.map((sentence) => (heading ? `${heading}: ${sentence}` : sentence)),
  );
  return [...sentences, ...ofCharts];
}

/** @param {readonly string[]} sentences @returns {string[]} lines */
function paragraph(sentences) {
  const text = sentences.filter(Boolean).join(' ');
  return text === '' ? [] : [escape(text), ''];
}

/**
 * Formats a report for terminals; `plan`: if it has no link.
 * @param {Reported} experiment @param {any} document @param {{ plan?: string, report?: Report }} [options]
 */
export function formatText(experiment, document, { plan, report = reportOf(experiment, document) } = {}) {
  const { environment, ending } = document;
  const { answer, conditions, notes = [], tables } = report;
  const texts = [ending && `Invalid: ${ending.reason}`, answer, conditions, ...sentencesOf(report)];
  return [
    ...texts.flatMap((text) => (text ? [text, ''] : [])),
    ...tables.flatMap(({ heading, ...table }) => [...(heading ? [heading] : []), ...fit(table), '']),
    ...notes.flatMap((note) => [note, '']),
    `Measured by ${environment.userAgent}, at ${environment.url}`,
    `Plan: ${plan ?? linkOf(experiment, document)}`,
    '',
  ]
    .map(visible)
    .join('\n');
}

/** @param {Table<any>} table @returns {string[]} lines for a terminal */
function fit(table) {
  const lines = toText(table);
  const isWide = lines.some(({ length }) => length > TERMINAL_WIDTH);
  return isWide && headsOf(table).length > cellsOf(table).length ? toTurnedText(table) : lines;
}

/**
 * @param {Pick<Reported, 'planPath'>} experiment @param {any} document @returns {string} the link that repeats the run
 */
function linkOf({ planPath }, document) {
  const { environment } = document;
  return new URL(planPath(document), environment.url).href;
}
