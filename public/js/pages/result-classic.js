import { classic } from '../../../core/experiments/classic/measure.js';
import { formatMarkdown, fromDocument } from '../../../core/experiments/classic/export.js';
import { openResultPage } from '../result-page.js';
import { createClassicView } from '../ui/classic/classic-view.js';

/** @type {Record<string, string>} */
const PAGES = { ajax: '/ajaxtest', sockjs: '/socktest' };

await openResultPage({ schema: classic.schema, draw });

/**
 * Draws the saved runs of a classic page as that page does, its log included.
 *
 * @type {import('../result-page.js').Draw}
 */
async function draw(document) {
  const result = fromDocument(document);
  const view = createClassicView();
  for (const run of result.runs) {
    view.addStart();
    view.addEnd(run);
  }
  view.showDetails(result);
  const iterations = result.runs.map(({ trial }) => trial.iterations);
  return {
    markdown: () => formatMarkdown(result),
    planPath: `${PAGES[result.transport]}?iterations=${iterations.join(',')}&autostart=1`,
  };
}
