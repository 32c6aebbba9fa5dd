/** Shows a full test with the full results of its parts, folded: on its own page, and saved. */
import { summarizeParts } from '../../../core/full-test/score.js';
import { element } from '../base/page.js';
import { mountLinkedDetails } from './linked-details.js';
import { idOfPart, showPartReports } from './part-reports.js';
import { createScoreView } from './score-view.js';

/** @import { Experiment } from '../../../core/experiment/contract.js' */
/** @import { FullTestDocument } from '../../../core/full-test/schema.js' */

/** @param {Experiment} fullTest @param {readonly Experiment[]} experiments whose runs it may have */
export function createFullTestView(fullTest, experiments) {
  const score = createScoreView(fullTest, { hrefOf: (name) => `#${idOfPart(name)}` });
  let reports = { destroy() {} };
  mountLinkedDetails();
  return {
    /** @param {FullTestDocument} document */
    show(document) {
      score.show(document);
      reports.destroy();
      reports = showPartReports(summarizeParts(document, experiments));
    },
    focus() {
      element('#result').scrollIntoView({ block: 'start', behavior: 'instant' });
      element('#verdict-headline').focus({ preventScroll: true });
    },
  };
}
