/**
 * What a message's time is made of, and what connections cost.
 */
import { tabulateSetUps, tabulateSteps } from '../../../../core/experiments/shootout/report-table.js';
import { element } from '../element.js';
import { fillTable } from '../table.js';

/** @import { Report } from '../../../../core/experiments/shootout/report.js' */

/** @param {Report} report */
export function showBreakdown(report) {
  const isWhole = report.result.ending === undefined;
  // Of a run that ended early nothing is concluded.
  for (const part of ['#breakdown', '#setup']) element(part, HTMLElement).hidden = !isWhole;
  if (!isWhole) return;
  fillTable(element('#breakdown-table', HTMLTableElement), tabulateSteps(report));
  fillTable(element('#set-ups', HTMLTableElement), tabulateSetUps(report));
}
