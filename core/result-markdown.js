/**
 * A report to paste into an issue or a wiki.
 */
import { formatPlan } from './plan.js';
import { columnsOf, formatRow } from './report-table.js';

/**
 * @param {import('./report.js').Report} report
 * @returns {string}
 */
export function formatMarkdown({ result, baseline, rows, verdict, notes, trust }) {
  const columns = columnsOf(baseline);
  const marks = columns.map(({ isText }) => (isText ? '---' : '---:'));
  return [
    '### SockShootout',
    '',
    `**${escape(verdict.headline)}.** ${escape(verdict.detail)} ${escape(verdict.advice)}`,
    '',
    lineOf(columns.map(({ title }) => title)),
    lineOf(marks),
    ...rows.map((row) => lineOf(formatRow(row).map(escape))),
    '',
    ...notes.flatMap((note) => [note, '']),
    ...trust.map(({ name, value, isWarning }) => `- ${isWarning ? '⚠ ' : ''}${name}: ${escape(value)}`),
    '',
    `Plan: ${escape(result.environment.url)}?${formatPlan(result.plan)}`,
    '',
  ].join('\n');
}

/** @param {readonly string[]} cells */
function lineOf(cells) {
  return `| ${cells.join(' | ')} |`;
}

/**
 * Servers and browsers name themselves, so what they say is text and nothing else.
 *
 * @param {string} text
 */
function escape(text) {
  return text.replace(/[\\|<>`*_[\]]/g, '\\$&').replace(/\s+/g, ' ');
}
