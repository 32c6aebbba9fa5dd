/**
 * A report to paste into an issue or a wiki.
 */
import { escape, lineOf } from '../../base/markdown.js';
import { formatPlan } from './plan.js';
import { columnsOf, formatRow } from './report-table.js';

/** @import { Report } from './report.js' */

/**
 * @param {Report} report
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
