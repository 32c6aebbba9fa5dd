/** A report to paste into an issue or a wiki. */
import { escape } from '../../base/markdown.js';
import { toMarkdown } from '../../experiment/table.js';
import { formatPlan } from './plan.js';
import { tabulateReport } from './report-table.js';

/** @import { Report } from './report.js' */

/** @param {Report} report @returns {string} */
export function formatMarkdown(report) {
  const { result, verdict, notes, trust } = report;
  return [
    '### SockShootout',
    '',
    `**${escape(verdict.headline)}.** ${escape(verdict.detail)} ${escape(verdict.advice)}`,
    '',
    ...toMarkdown(tabulateReport(report)),
    '',
    ...notes.flatMap((note) => [note, '']),
    ...trust.map(({ name, value, isWarning }) => `- ${isWarning ? '⚠ ' : ''}${name}: ${escape(value)}`),
    '',
    `Plan: ${escape(result.environment.url)}?${formatPlan(result.plan)}`,
    '',
  ].join('\n');
}
