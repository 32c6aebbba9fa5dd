/**
 * Why the verdict is what it is: what a message's time is made of, what connections cost, what other distances would do.
 */
import { findBreakEven } from '../../../core/break-even.js';
import { createDistanceModel, describeDistance } from '../../../core/distance-model.js';
import { DASH, formatWithInterval } from '../../../core/format.js';
import { listSteps } from '../../../core/ladder.js';
import { formatSetUp } from '../../../core/report-table.js';
import { challengerOf } from '../../../core/verdict.js';
import { labelOf } from '../../../core/transports/labels.js';
import { createDistanceChart } from './distance-chart.js';
import { element } from './element.js';
import { createRow } from './table.js';

/**
 * @param {import('./chart.js').UPlot} uPlot
 * @param {import('../../../core/report.js').Report} report
 * @returns {{ destroy(): void } | undefined} the chart; absent where there is nothing to predict from
 */
export function showWhy(uPlot, report) {
  showLadder(report);
  showSetUps(report);
  const challenger = challengerOf(report.result.plan);
  const row = report.rows.find(({ transport }) => transport === challenger);
  const model = row && createDistanceModel({ floorMs: report.floorMs, row });
  element('#distance', HTMLElement).hidden = !model;
  if (!model) return undefined;
  const stopAnswering = answerDistance(model);
  const chart = createDistanceChart(uPlot, model);
  return {
    destroy() {
      stopAnswering();
      chart.destroy();
    },
  };
}

/** @param {import('../../../core/report.js').Report} report */
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

/** @param {import('../../../core/report.js').Report} report */
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

/**
 * @param {import('../../../core/distance-model.js').DistanceModel} model
 * @returns {() => void} stops it
 */
function answerDistance(model) {
  const slider = element('#distance-ms', HTMLInputElement);
  const answer = element('#distance-answer', HTMLOutputElement);
  const show = () => {
    answer.value = describeDistance(model, slider.valueAsNumber);
  };
  slider.addEventListener('input', show);
  show();
  return () => slider.removeEventListener('input', show);
}
