import { formatMarkdown, fromDocument } from '../../core/experiments/classic-export.js';
import { createClassicView } from '../ui/classic-view.js';

export { SCHEMA } from '../../core/experiments/classic-export.js';

/** @type {Record<string, string>} */
const PAGES = { ajax: '/ajaxtest', sockjs: '/socktest' };

/**
 * Draws the saved runs of a classic page as that page does, its log included.
 *
 * @type {import('../result.js').Draw}
 */
export async function draw(document) {
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
