/** Saved runs of the classic pages as the tables of 2012. */
import * as classic from '../../../../core/experiments/classic/comparison.js';
import { createPlaceTable, showDifferences } from '../../compare-page.js';
import { element } from '../page.js';
import { drawCharts } from '../report-view.js';

/** @import { Shown } from '../../compare-page.js' */

/** @param {classic.WholeClassic[]} runs @returns {Promise<Shown>} */
export async function showComparison(runs) {
  const comparison = classic.createClassicComparison(runs);
  showDifferences(comparison);
  element('#place-tables').replaceChildren(
    ...comparison.tables.map(({ title, server, numbers, publishedOf, rows }) =>
      createPlaceTable({
        kind: 'classic',
        caption: title,
        table: { columns: classic.COLUMNS, rows },
        note: `${numbers.length > 1 ? 'Runs' : 'Run'} ${numbers.join(' and ')}, server ${server}. 2012 figures: ${publishedOf}.`,
      }),
    ),
  );
  element('#published').textContent = classic.RATES_NOTE;
  const { default: uPlot } = await import('uplot');
  drawCharts(uPlot, element('#compared-charts'), [comparison.chart], '');
  return { markdown: (link) => classic.formatMarkdown(comparison, link), csv: () => classic.formatCsv(comparison) };
}
