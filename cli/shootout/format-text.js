/**
 * A report as plain text: a column for each transport, as fourteen columns of figures would fit no terminal.
 */
import { formatPlan } from '../../core/experiments/shootout/plan.js';
import { columnsOf, formatRow } from '../../core/experiments/shootout/report-table.js';
import { visible } from '../../core/base/visible.js';

/** @import { Report } from '../../core/experiments/shootout/report.js' */

/**
 * @param {Report} report
 * @returns {string}
 */
export function formatText({ result, baseline, rows, verdict, notes, trust }) {
  const cells = rows.map(formatRow);
  const figures = columnsOf(baseline).map(({ title }, index) => [title, ...cells.map((row) => row[index])]);
  const marked = trust.map(({ name, value, isWarning }) => [isWarning ? `! ${name}` : `  ${name}`, value]);
  return [
    `${verdict.headline}.`,
    verdict.detail,
    verdict.advice,
    '',
    ...align(figures),
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

/**
 * Servers name themselves: what they say must not steer a terminal.
 *
 * @param {string[][]} lines of as many cells each
 * @returns {string[]}
 */
export function align(lines) {
  const widths = lines[0].map((_, column) => Math.max(...lines.map((cells) => cells[column].length)));
  return lines.map((cells) =>
    cells
      .map((cell, column) => visible(cell).padEnd(widths[column]))
      .join('  ')
      .trimEnd(),
  );
}
