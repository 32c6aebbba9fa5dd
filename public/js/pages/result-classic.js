import { fromDocument } from '../../../core/experiments/classic/export.js';
import { classic as experiment } from '../../../core/experiments/classic/index.js';
import { openResultPage } from '../result-page.js';
import { createClassicView } from '../ui/classic/classic-view.js';

/** @import { ClassicDocument } from '../../../core/experiments/classic/export.js' */

await openResultPage({ experiment, draw });

/**
 * Draws the saved runs of a classic page as that page does, its log included.
 *
 * @param {ClassicDocument} document
 */
function draw(document) {
  const result = fromDocument(document);
  const view = createClassicView();
  for (const run of result.runs) {
    view.addStart();
    view.addEnd(run);
  }
  view.showDetails(result);
}
