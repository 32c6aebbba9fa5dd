/** A run's report in the forms that need no page. Public pages draw the same {@link Report}. */
import { escape, visible } from '../base/foreign-text.js';
import { cellsOf, headsOf, toMarkdown, toText, toTurnedText } from './table.js';

/**
 * @import { Described, Report } from './contract.js'
 * @import { Table } from './table.js'
 */

/** A table that is wider stands turned at a terminal: a column for each row. */
const TERMINAL_WIDTH = 120;

/** @typedef {Pick<Described, 'label' | 'summarize' | 'report' | 'planPath'>} Reported */

/** @param {Pick<Reported, 'summarize' | 'report'>} experiment @param {any} document @returns {Report} */
export const reportOf = ({ summarize, report }, document) => report(summarize(document), document);

/** @param {Reported} experiment @param {any} document @returns {string} to paste into an issue or a wiki */
export function formatMarkdown(experiment, document) {
  const { environment, startedAt, ending } = document;
  const report = reportOf(experiment, document);
  const { notes = [], tables } = report;
  return [
    `### SockShootout: ${experiment.label}`,
    '',
    ...(ending ? [`**Invalid:** ${escape(ending.reason)}`, ''] : []),
    ...paragraph(sentencesOf(report)),
    ...tables.flatMap(linesOfTable),
    ...paragraph(notes),
    `Plan: ${escape(linkOf(experiment, document))}, ${startedAt}, ${escape(environment.userAgent)}.`,
    '',
  ].join('\n');
}

/** @param {Table<any> & { heading?: string }} table @returns {string[]} Markdown, with an empty line at the end */
export function linesOfTable({ heading, ...table }) {
  return [...(heading ? [`#### ${heading}`, ''] : []), ...toMarkdown(table), ''];
}

/** @param {Report} report @returns {string[]} all that it says, its charts' sentences after their headings */
export function sentencesOf({ answer, sentences, charts }) {
  const ofCharts = charts.flatMap(({ heading, sentences: own = [] }) =>
    own.map((sentence) => (heading ? `${heading}: ${sentence}` : sentence)),
  );
  return [...(answer ? [answer] : []), ...sentences, ...ofCharts];
}

/** @param {readonly string[]} sentences @returns {string[]} lines */
function paragraph(sentences) {
  const text = sentences.filter(Boolean).join(' ');
  return text === '' ? [] : [escape(text), ''];
}

/**
 * @param {Reported} experiment
 * @param {any} document
 * @param {{ plan?: string }} [options] how the plan is repeated, where no link leads to it
 * @returns {string} for a terminal
 */
export function formatText(experiment, document, { plan = linkOf(experiment, document) } = {}) {
  const { environment, ending } = document;
  const report = reportOf(experiment, document);
  const { notes = [], tables } = report;
  return [
    ...[ending ? `Invalid: ${ending.reason}` : '', ...sentencesOf(report)].flatMap((text) => (text ? [text, ''] : [])),
    ...tables.flatMap(({ heading, ...table }) => [...(heading ? [heading] : []), ...fit(table), '']),
    ...notes.flatMap((note) => [note, '']),
    `Measured by ${environment.userAgent}, at ${environment.url}`,
    `Plan: ${plan}`,
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

/** @param {Pick<Reported, 'planPath'>} experiment @param {any} document @returns {string} where the same run is made again */
export function linkOf({ planPath }, document) {
  const { environment } = document;
  return new URL(planPath(document), environment.url).href;
}
