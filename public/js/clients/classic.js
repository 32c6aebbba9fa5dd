/** Shows the runs of a classic page: the log of 2012, and the details that it leaves out. */
import { reportOn } from '../../../core/experiment/report.js';
import { classic } from '../../../core/experiments/classic/index.js';
import { formatClassic, formatNotes, tabulateClassic } from '../../../core/experiments/classic/report.js';
import { summarize } from '../../../core/experiments/classic/summary.js';
import { element } from '../ui/page.js';
import { fillTable } from '../ui/table.js';
import { showTrust } from '../ui/trust.js';

/** @import { ClassicDocument, ClassicResult } from '../../../core/experiments/classic/schema.js' */
/** @import { PageClient } from './contract.js' */

/** @param {string} line */
export function addToLog(line) {
  const log = element('#log');
  log.append(`${line}\n`);
  log.scrollTop = log.scrollHeight;
}

/** @param {ClassicResult} result */
export function showDetails(result) {
  fillTable(element('#details-rows', HTMLTableElement), tabulateClassic(result));
  const { notice = '', conditions = '', trust } = reportOn(classic, result, result);
  showTrust(trust);
  element('#result-notice').textContent = notice;
  element('#result-conditions').textContent = conditions;
  element('#notes').textContent = formatNotes(result);
  element('#run-details').hidden = false;
}

/** Shows the saved runs of a classic page as that page does, its log included. */
const createView = () => ({
  show(/** @type {unknown} */ _uPlot, /** @type {ClassicDocument} */ document) {
    const result = summarize(document);
    for (const run of result.runs) ['start!', formatClassic(run)].forEach(addToLog);
    showDetails(result);
  },
});

/** @type {PageClient} */
export const client = { createView };
