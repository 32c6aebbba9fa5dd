/**
 * What a message's time is made of, and what connections cost.
 */
import { findBreakEven } from '../../../../core/experiments/shootout/decision/break-even.js';
import { DASH, formatWithInterval } from '../../../../core/base/format.js';
import { listSteps } from '../../../../core/experiments/shootout/ladder.js';
import { formatSetUp } from '../../../../core/experiments/shootout/report-table.js';
import { labelOf } from '../../../../core/net/echo/labels.js';
import { element } from '../element.js';
import { createRow, nameCells } from '../table.js';

/** @import { Report } from '../../../../core/experiments/shootout/report.js' */

/** @param {Report} report */
export function showBreakdown(report) {
  const isWhole = report.result.ending === undefined;
  // Of a run that ended early nothing is concluded.
  for (const part of ['#breakdown', '#setup']) element(part, HTMLElement).hidden = !isWhole;
  if (!isWhole) return;
  showLadder(report);
  showSetUps(report);
  for (const table of ['#ladder', '#set-ups']) nameCells(table);
}

/** @param {Report} report */
function showLadder({ result: { plan, trials, environment }, floorMs }) {
  const steps = listSteps({ plan, trials, floorMs, stepMs: environment.stepMs });
  const isText = (/** @type {number} */ column) => column < 2;
  element('#ladder tbody', HTMLElement).replaceChildren(
    ...steps.map(({ name, meaning, costMs, blockCount }) => {
      const cost = blockCount === undefined ? `${costMs?.estimate.toFixed(2) ?? DASH}` : formatWithInterval(costMs);
      return createRow([name, meaning, cost, blockCount === undefined ? DASH : String(blockCount)], 'row', isText);
    }),
  );
}

/** @param {Report} report */
function showSetUps({ rows }) {
  const baseline = rows.find(({ comparison }) => !comparison);
  if (!baseline) return;
  element('#set-ups tbody', HTMLElement).replaceChildren(
    ...rows.map((row) => {
      const messages = row === baseline ? 'baseline' : (findBreakEven({ row, baseline })?.toString() ?? DASH);
      return createRow([labelOf(row.transport), formatSetUp(row.setUp), messages], 'row');
    }),
  );
}
