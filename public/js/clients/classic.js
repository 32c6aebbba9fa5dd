/** Shows the runs of a classic page: the log of 2012, and the details that it leaves out. */
import { hasFigures } from '../../../core/experiment/documents/lone-trials.js';
import { openPart } from '../../../core/experiment/run/open-run.js';
import { reportOf } from '../../../core/experiment/report/findings.js';
import { classic } from '../../../core/experiments/classic/index.js';
import { formatClassic, formatNotes, tabulateClassic } from '../../../core/experiments/classic/report.js';
import { toDocument } from '../../../core/experiments/classic/schema.js';
import { summarize } from '../../../core/experiments/classic/summary.js';
import { element, keepTogether } from '../base/page.js';
import { fillTable } from '../ui/table.js';
import { showTrust } from '../ui/trust.js';

/** @import { Report } from '../../../core/experiment/report/findings.js' */
/** @import { ClassicDocument, ClassicResult } from '../../../core/experiments/classic/schema.js' */
/** @import { PageClient } from './contract.js' */

/** @param {string} line */
export function addToLog(line) {
  const log = element('#log');
  log.append(`${line}\n`);
  log.scrollTop = log.scrollHeight;
}

/** @param {ClassicResult} result all of its runs, instead of the log's lines */
export function showLog({ runs }) {
  element('#log').textContent = '';
  for (const run of runs) ['start!', formatClassic(run)].forEach(addToLog);
}

/** Shows the details, if any run has figures. @param {ClassicResult} result */
export function showDetails(result) {
  const isEmpty = !result.runs.some(hasFigures);
  element('#run-details').hidden = isEmpty;
  showWords(result, isEmpty ? undefined : reportOf(classic, toDocument(result)));
}

/** @type {Partial<Report>} */
const NOTHING = {};

/** @param {ClassicResult} result @param {Partial<Report>} [report] absent if there is nothing to report */
function showWords(result, { headline = '', notice = '', conditions = '', trust = [] } = NOTHING) {
  fillTable(element('#details-rows', HTMLTableElement), tabulateClassic(result));
  showTrust({ trust, notice });
  element('#answer').replaceChildren(...keepTogether(headline));
  element('#result-notice').textContent = notice;
  element('#result-conditions').replaceChildren(...keepTogether(conditions));
  element('#notes').textContent = formatNotes(result);
}

/** Shows the saved runs of a classic page as that page does, its log included. */
const createView = () => ({
  show(/** @type {ClassicDocument} */ document) {
    const result = summarize(openPart(classic, document));
    showLog(result);
    showDetails(result);
  },
});

/** @type {PageClient} */
export const client = { createView };
