import { createSeed } from '../../../core/base/random.js';
import { fromDocument } from '../../../core/experiments/countdown/index.js';
import { createFairPlan, formatPlan } from '../../../core/experiments/shootout/plan.js';
import { showCountdown } from '../ui/classic/countdown-view.js';
import { element } from '../ui/element.js';

/** @import { CountdownDocument } from '../../../core/experiments/countdown/index.js' */

/** Shows the saved tests of a count-down as its page does. */
export const createView = () => ({
  /** @param {unknown} _uPlot @param {CountdownDocument} document */
  show(_uPlot, document) {
    const result = fromDocument(document);
    showCountdown(result);
    const fairPlan = createFairPlan(result.choice.iterations, createSeed());
    element('#fair', HTMLAnchorElement).href = `/?${formatPlan(fairPlan)}`;
  },
});
