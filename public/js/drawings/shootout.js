import { formatPlan } from '../../core/plan.js';
import { createReport } from '../../core/report.js';
import { formatMarkdown } from '../../core/result-markdown.js';
import { createResultView } from '../ui/result-view.js';

export { SCHEMA } from '../../core/result.js';

/**
 * Draws a saved run of the home page as that page does.
 *
 * @type {import('../result.js').Draw}
 */
export async function draw(document) {
  const { default: uPlot } = await import('../../vendor/uplot.js');
  const view = createResultView();
  view.open(uPlot, document.plan.transports);
  view.show(document);
  return { markdown: () => formatMarkdown(createReport(document)), planPath: `/?${formatPlan(document.plan)}` };
}
