import { formatPlan } from '../../../core/plan.js';
import { createReport } from '../../../core/report.js';
import { formatMarkdown } from '../../../core/result-markdown.js';
import { shootout } from '../../../core/experiments/shootout.js';
import { openResultPage } from '../result-page.js';
import { mountLinkedDetails } from '../ui/linked-details.js';
import { createResultView } from '../ui/result-view.js';

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
