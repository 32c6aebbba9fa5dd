import { fromDocument } from '../../../core/experiments/classic/index.js';
import { createClassicView } from '../ui/classic/classic-view.js';

/** @import { ClassicDocument } from '../../../core/experiments/classic/index.js' */

/** Shows the saved runs of a classic page as that page does, its log included. */
export const createView = () => ({
  /** @param {unknown} _uPlot @param {ClassicDocument} document */
  show(_uPlot, document) {
    const result = fromDocument(document);
    const view = createClassicView();
    for (const run of result.runs) {
      view.addStart();
      view.addEnd(run);
    }
    view.showDetails(result);
  },
});
