import { formatPlan } from '../../../core/experiments/shootout/plan.js';
import { createReport } from '../../../core/experiments/shootout/report.js';
import { formatMarkdown } from '../../../core/experiments/shootout/markdown.js';
import { shootout } from '../../../core/experiments/shootout/measure.js';
import { openResultPage } from '../result-page.js';
import { mountLinkedDetails } from '../ui/linked-details.js';
import { createResultView } from '../ui/home/result-view.js';

await openResultPage({ schema: shootout.schema, draw });

/**
 * Draws a saved run of the home page as that page does.
 *
 * @type {import('../result-page.js').Draw}
 */
async function draw(document) {
  const { default: uPlot } = await import('uplot');
  const view = createResultView();
  view.show(uPlot, document);
  mountLinkedDetails();
  return { markdown: () => formatMarkdown(createReport(document)), planPath: `/?${formatPlan(document.plan)}` };
}
