/** Shows the tests of the count-down: their table, their means, and the notes beside them. */
import { DASH, formatMs } from '../../../core/base/format.js';
import { createSeed } from '../../../core/base/random.js';
import { hasFigures } from '../../../core/experiment/documents/lone-trials.js';
import { openPart } from '../../../core/experiment/run/open-run.js';
import { reportOf } from '../../../core/experiment/report/findings.js';
import { countdown } from '../../../core/experiments/countdown/index.js';
import {
  COLUMNS,
  formatNotes,
  formatSetUp,
  colourOf,
  describeMeans,
} from '../../../core/experiments/countdown/report.js';
import { toDocument } from '../../../core/experiments/countdown/schema.js';
import { summarize, meansOf } from '../../../core/experiments/countdown/summary.js';
import { createFairPlan, formatPlan } from '../../../core/experiments/shootout/plan.js';
import { labelOf } from '../../../core/experiment/answer/labels.js';
import { showBars } from '../ui/bars.js';
import { element, keepTogether } from '../base/page.js';
import { fillTable } from '../ui/table.js';
import { showTrust } from '../ui/trust.js';
import { at } from '../site-url.js';

/**
 * @import { Report } from '../../../core/experiment/report/findings.js'
 * @import { CountdownDocument, CountdownResult } from '../../../core/experiments/countdown/schema.js'
 * @import { Submission } from '../../../core/experiments/countdown/submission.js'
 * @import { PageClient } from './contract.js'
 */

/** @param {CountdownResult} result @param {CountdownDocument | Submission} [document] that it is of */
export function showCountdown(result, document = toDocument(result)) {
  const { tests } = result;
  const isEmpty = !tests.some(hasFigures);
  const means = meansOf(tests);
  for (const part of ['#result', '#means']) element(part).hidden = isEmpty;
  fillTable(element('#tests', HTMLTableElement), { columns: COLUMNS, rows: tests });
  element('#notes').textContent = formatNotes(result);
  element('#set-up').textContent = formatSetUp(result);
  showWords(isEmpty ? undefined : reportOf(countdown, document));
  const bars = means.map(({ transport, meanMs }) => ({
    name: labelOf(transport),
    value: meanMs,
    figure: meanMs === undefined ? DASH : formatMs(meanMs),
    colour: colourOf(transport),
  }));
  showBars(element('#means .bars'), bars, describeMeans(tests));
}

/** @type {Partial<Report>} */
const NOTHING = {};

/** @param {Partial<Report>} [report] absent if there is nothing to report */
function showWords({ headline = '', notice = '', conditions = '', sentences = [], trust = [] } = NOTHING) {
  showTrust({ trust, notice });
  element('#answer').replaceChildren(...keepTogether(headline));
  element('#result-notice').textContent = notice;
  element('#result-conditions').replaceChildren(...keepTogether(conditions));
  element('#result-words').replaceChildren(...keepTogether(sentences.join(' ')));
}

/** Links to the same comparison on the home page, as a fair run. @param {number} iterations @param {number} seed */
export function linkFairRun(iterations, seed) {
  element('#fair', HTMLAnchorElement).href = at(`/?${formatPlan(createFairPlan(iterations, seed))}`);
}

/** Shows the saved tests of a count-down as its page does. */
const createView = () => ({
  show(/** @type {CountdownDocument | Submission} */ document) {
    const result = summarize(openPart(countdown, document));
    showCountdown(result, document);
    linkFairRun(result.choice.iterations, createSeed());
  },
});

/** @type {PageClient} */
export const client = { createView };
