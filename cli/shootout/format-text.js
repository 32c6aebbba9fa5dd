/**
 * A report as plain text: a column for each transport, as fourteen columns of figures would fit no terminal.
 */
import { formatPlan } from '../../core/experiments/shootout/plan.js';
import { tabulateReport } from '../../core/experiments/shootout/report-table.js';
import { visible } from '../../core/base/visible.js';
import { align, toTurnedText } from '../../core/experiment/table.js';

/** @import { Report } from '../../core/experiments/shootout/report.js' */

/**
 * @param {Report} report
 * @returns {string}
 */
export function formatText(report) {
  const { result, verdict, notes, trust } = report;
  const marked = trust.map(({ name, value, isWarning }) => [isWarning ? `! ${name}` : `  ${name}`, value]);
  return [
    `${verdict.headline}.`,
    verdict.detail,
    verdict.advice,
    '',
    ...toTurnedText(tabulateReport(report)),
    '',
    ...notes.flatMap((note) => [note, '']),
    'Can it be trusted? (! casts doubt)',
    ...align(marked),
    '',
    `Plan: ${result.environment.url}?${formatPlan(result.plan)}`,
    '',
  ]
    .map(visible)
    .join('\n');
}
