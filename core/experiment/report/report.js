/** Formats a run's report for terminals and Markdown. Public pages draw the same {@link Report}. */
import { escape, visible } from '../../base/foreign-text.js';
import { planPath } from '../run/open-run.js';
import { countWarnings, warningsIn } from '../run/trust.js';
import { findingsOf, reportOf } from './findings.js';
import { cellsOf, headsOf, toMarkdown, toText, toTurnedText, words } from './table.js';

/**
 * @import { Ending, Fact, Findings } from '../contract.js'
 * @import { Linking } from '../plan/plan-link.js'
 * @import { Report, Summarized } from './findings.js'
 * @import { Column, Table } from './table.js'
 *
 * @typedef {Summarized & Linking} Reported what makes a report with the link of its plan
 */

/** The maximum width of a table in a terminal; a wider one is transposed: a column for each row. */
const TERMINAL_WIDTH = 120;

/**
 * @param {Reported} experiment @param {any} document
 * @param {Findings} [findings] if they are known @returns {string} to paste into an issue or a wiki
 */
export function formatMarkdown(experiment, document, { report, part } = findingsOf(experiment, document)) {
  if (report.formatMarkdown) return report.formatMarkdown(report);
  const { environment, startedAt, ending } = part;
  const { headline, notice = '', conditions = '', notes = [] } = report;
  const sentences = sentencesOf(report);
  return [
    `### SockShootout: ${experiment.label}`,
    '',
    `**${escape(headline)}**`,
    '',
    ...[[whyEnded(ending)], [describeTrust(report)], [notice], [conditions], sentences].flatMap(paragraph),
    ...tablesOf(report).flatMap(linesOfTable),
    ...paragraph(notes),
    ...(environment
      ? [`Plan: ${escape(linkOf(experiment, document))}, ${startedAt}, ${escape(environment.userAgent)}.`, '']
      : []),
  ].join('\n');
}

/**
 * @param {Table<any> & { heading?: string, note?: string }} table
 * @returns {string[]} Markdown, with an empty line at the end
 */
export function linesOfTable({ heading, note, ...table }) {
  return [...(heading ? [`#### ${heading}`, ''] : []), ...toMarkdown(table), '', ...(note ? [escape(note), ''] : [])];
}

/**
 * @param {Report} report @returns {string[]} all its sentences except its answer; those of charts after their headings
 */
function sentencesOf({ sentences, charts }) {
  const ofCharts = charts.flatMap(({ heading, sentences: own = [] }) =>
    own.map((sentence) => (heading ? `${heading}: ${sentence}` : sentence)),
  );
  return [...sentences, ...ofCharts];
}

/**
 * @param {{ trust: readonly Fact[], notice?: string }} report
 * @returns {string} like '1 warning. Valid: no.'; empty if it has no checks, or only a notice warns
 */
export function describeTrust({ trust, notice }) {
  const count = trust.length === 0 ? '' : countWarnings({ trust, notice });
  const warnings = warningsIn(trust).map(({ name, value }) => `${name}: ${value}.`);
  return count && [`${count}.`, ...warnings].join(' ');
}

/** @param {Report} report @returns {Report['tables']} its tables, and that of its trust checks */
const tablesOf = ({ tables, trust }) =>
  trust.length === 0 ? tables : [...tables, { heading: 'Trust checks (⚠ = warning)', columns: TRUST, rows: trust }];

/** @type {Column<Fact>[]} */
const TRUST = [
  { ...words('Check', ({ name, isWarning }) => (isWarning ? `⚠ ${name}` : name)), isKey: true },
  words('Result', ({ value }) => value),
];

/**
 * Returns the detail for lists and previews, without what holds on one machine alone.
 * @param {Report} report @returns {string} sentences
 */
export function detailOf(report) {
  const { notice, conclusion, elsewhere } = report;
  // An answer that holds elsewhere, too, has sentences that do.
  const holdsElsewhere = notice === undefined || (conclusion !== undefined && conclusion === elsewhere?.headline);
  const sentences = holdsElsewhere ? [...sentencesOf(report), notice] : [elsewhere?.evidence, notice];
  return sentences.filter(Boolean).join(' ');
}

/** @param {Ending} [ending] @returns {string} empty if the headline says it: the visitor stopped the run */
const whyEnded = (ending) => (ending?.kind === 'invalid' ? ending.reason : '');

/** @param {readonly string[]} sentences @returns {string[]} lines */
function paragraph(sentences) {
  const text = sentences.filter(Boolean).join(' ');
  return text === '' ? [] : [escape(text), ''];
}

/**
 * Formats a report for terminals, which ends with the answer; `plan`: if it has no link.
 * @param {Reported} experiment @param {any} document @param {{ plan?: string, report?: Report }} [options]
 */
export function formatText(experiment, document, { plan, report = reportOf(experiment, document) } = {}) {
  const { environment, ending } = document;
  const { headline, notice, conditions, notes = [] } = report;
  /** @param {readonly (string | undefined)[]} texts */
  const paragraphs = (texts) => texts.flatMap((text) => (text ? [text, ''] : []));
  return [
    ...paragraphs([conditions, ...sentencesOf(report)]),
    ...tablesOf(report).flatMap(({ heading, note, ...table }) => [
      ...(heading ? [heading] : []),
      ...fit(table),
      ...(note ? [note] : []),
      '',
    ]),
    ...paragraphs(notes),
    `Measured by ${environment.userAgent}, at ${environment.url}`,
    `Plan: ${plan ?? linkOf(experiment, document)}`,
    '',
    // A terminal shows the end.
    ...paragraphs([notice, describeTrust(report), whyEnded(ending), headline]),
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

/** @param {Reported} experiment @param {any} document @returns {string} the link that repeats the run */
function linkOf(experiment, document) {
  const { environment } = document;
  // All pages of a site stand side by side, so this holds wherever it is on its host.
  return new URL(`.${planPath(experiment, document)}`, environment.url).href;
}
