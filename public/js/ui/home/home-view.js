/** Shows what the home page measured: a full test, or echoes alone. */
import { withoutComparison as shootout } from '../../../../core/experiments/shootout/index.js';
import { formatFields } from '../../../../core/experiment/plan/fields.js';
import { SITUATION_FIELDS } from '../../../../core/experiment/plan/situation.js';
import { summarizeParts } from '../../../../core/full-test/score.js';
import { element } from '../../base/page.js';
import { idOfPart, showPartReports } from '../part-reports.js';
import { createScoreView } from '../score-view.js';
import { EXPERIMENTS, fullTest, isFullTest } from '../../run/home-parts.js';
import { readRecordingKept } from '../recording/kept-recording.js';
import { createResultView, ECHO_ID, showEchoDetails } from './result-view.js';
import { at } from '../../site-url.js';

/** @import { Measured } from '../../run/home-parts.js' */
/** @import { FullTestDocument } from '../../../../core/full-test/schema.js' */
/** @import { MeasuredPart } from '../../../../core/full-test/score.js' */

export function createHomeView() {
  const echoes = createResultView();
  const score = createScoreView(fullTest, {
    hrefOf: (experiment) => `#${experiment === shootout.name ? ECHO_ID : idOfPart(experiment)}`,
  });
  /** @type {{ destroy(): void }[]} */
  let parts = [];
  const clear = () => {
    for (const part of parts) part.destroy();
    parts = [];
    score.clear();
    echoes.clear();
  };

  return {
    /** @param {Measured} result @param {string} [origin] if it was not made just now */
    show(result, origin) {
      clear();
      const isOpen = document.querySelector('#next-step p:not(:empty)') !== null;
      element('#next-step').hidden = !(isOpen && isFullTest(result));
      if (!isFullTest(result)) {
        showEchoSections(true);
        echoes.show(result, origin);
        return;
      }
      element('#recording-back').hidden = !readRecordingKept();
      element('#next-link', HTMLAnchorElement).href = at(`/all?${formatFields(result.situation, SITUATION_FIELDS)}`);
      score.show(result, origin);
      parts = showParts(result);
    },
    hide() {
      clear();
      echoes.hide();
    },
    focus: echoes.focus,
  };
}

/** @param {FullTestDocument} document @returns {{ destroy(): void }[]} */
function showParts(document) {
  const measured = summarizeParts(document, EXPERIMENTS);
  const isEcho = (/** @type {MeasuredPart} */ { member }) => member.name === shootout.name;
  const echo = measured.find(isEcho)?.findings;
  showEchoSections(echo !== undefined);
  return [...(echo ? [showEchoDetails(echo)] : []), showPartReports(measured.filter((part) => !isEcho(part)))];
}

/** @param {boolean} areShown */
function showEchoSections(areShown) {
  element('#candidates').hidden = !areShown;
  for (const part of document.querySelectorAll('#details > details:not(#part-reports > *)'))
    /** @type {HTMLElement} */ (part).hidden = !areShown;
}
