/** Shared runs of an experiment without a comparison of its own: their reports side by side. */
import * as reports from '../../../../core/experiment/compare-reports.js';
import { create, element } from '../page.js';
import { createTables, drawCharts } from '../report-view.js';
import { showDifferences } from '../../compare-page.js';

/** @import { Planned } from '../../../../core/experiment/contract.js' */
/** @import { Shown } from '../../compare-page.js' */

/** @param {reports.WholeRun[]} runs @param {Planned} experiment @returns {Promise<Shown>} */
export async function showComparison(runs, experiment) {
  const comparison = reports.compareReports(experiment, runs);
  const { tables, charts } = comparison;
  showDifferences(comparison);
  const { shown, folded } = createTables(tables);
  const details = folded.length > 0 ? [create('details', {}, create('summary', {}, 'Details'), ...folded)] : [];
  element('#compared-tables').replaceChildren(...shown, ...details);
  if (charts.length > 0) {
    const { default: uPlot } = await import('uplot');
    drawCharts(uPlot, element('#compared-charts'), charts, '');
  }
  return {
    markdown: (link) => reports.formatComparisonMarkdown(experiment.label, comparison, link),
    csv: () => reports.formatComparisonCsv(comparison),
  };
}
