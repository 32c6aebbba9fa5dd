/** What a classic page shows of its runs: the log of 2012, and the details that it leaves out. */
import { formatNotes } from '../../../core/experiment/lone-trials.js';
import { fromDocument, tabulateClassic } from '../../../core/experiments/classic/index.js';
import { formatClassic } from '../../../core/experiments/classic/measure.js';
import { element } from '../ui/page.js';
import { fillTable } from '../ui/table.js';

/** @import { ClassicDocument, ClassicResult } from '../../../core/experiments/classic/index.js' */
/** @import { ClassicRun } from '../../../core/experiments/classic/measure.js' */

export function createClassicView() {
  const log = element('#log', HTMLPreElement);
  /** @param {string} line */
  const addToLog = (line) => {
    log.append(`${line}\n`);
    log.scrollTop = log.scrollHeight;
  };
  return {
    addStart: () => addToLog('start!'),
    addEnd: (/** @type {ClassicRun} */ run) => addToLog(formatClassic(run)),
    showDetails(/** @type {ClassicResult} */ result) {
      fillTable(element('#details-rows', HTMLTableElement), tabulateClassic(result));
      element('#notes').textContent = formatNotes(result);
      element('#run-details').hidden = false;
    },
  };
}

/** Shows the saved runs of a classic page as that page does, its log included. */
export const createView = () => ({
  show(/** @type {unknown} */ _uPlot, /** @type {ClassicDocument} */ document) {
    const result = fromDocument(document);
    const view = createClassicView();
    for (const run of result.runs) {
      view.addStart();
      view.addEnd(run);
    }
    view.showDetails(result);
  },
});
