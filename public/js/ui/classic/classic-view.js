import { formatClassic } from '../../../../core/experiments/classic/measure.js';
import { formatNotes } from '../../../../core/experiment/lone-trials.js';
import { tabulateClassic } from '../../../../core/experiments/classic/index.js';
import { element } from '../element.js';
import { fillTable } from '../table.js';

/**
 * @import { ClassicResult } from '../../../../core/experiments/classic/index.js'
 * @import { ClassicRun } from '../../../../core/experiments/classic/measure.js'
 */

/**
 * What a classic page shows of its runs: the log of 2012, and the details that it leaves out.
 * @returns {{ addStart(): void, addEnd(run: ClassicRun): void, showDetails(result:
 *   ClassicResult): void }} `showDetails` takes at least one run
 */
export function createClassicView() {
  const log = element('#log', HTMLPreElement);

  /** @param {string} line */
  const addToLog = (line) => {
    log.append(`${line}\n`);
    log.scrollTop = log.scrollHeight;
  };

  return {
    addStart: () => addToLog('start!'),
    addEnd: (run) => addToLog(formatClassic(run)),
    showDetails(result) {
      fillTable(element('#details-rows', HTMLTableElement), tabulateClassic(result));
      element('#notes').textContent = formatNotes(result);
      element('#run-details').hidden = false;
    },
  };
}
