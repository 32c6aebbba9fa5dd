import { createSeed } from '../../../core/base/random.js';
import { fromDocument } from '../../../core/experiments/countdown/export.js';
import { countdown as experiment } from '../../../core/experiments/countdown/index.js';
import { createFairPlan, formatPlan } from '../../../core/experiments/shootout/plan.js';
import { openResultPage } from '../result-page.js';
import { showCountdown } from '../ui/classic/countdown-view.js';
import { element } from '../ui/element.js';

/** @import { CountdownDocument } from '../../../core/experiments/countdown/export.js' */

await openResultPage({ experiment, draw });

/**
 * Draws the saved tests of a count-down as its page does.
 *
 * @param {CountdownDocument} document
 */
function draw(document) {
  const result = fromDocument(document);
  showCountdown(result);
  const fairPlan = createFairPlan(result.choice.iterations, createSeed());
  element('#fair', HTMLAnchorElement).href = `/?${formatPlan(fairPlan)}`;
}
