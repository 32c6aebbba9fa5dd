import { countdown, createFairPlan, formatLink } from '../../../core/experiments/countdown/measure.js';
import { formatMarkdown, fromDocument } from '../../../core/experiments/countdown/export.js';
import { formatPlan } from '../../../core/experiments/shootout/plan.js';
import { createSeed } from '../../../core/base/random.js';
import { openResultPage } from '../result-page.js';
import { showCountdown } from '../ui/classic/countdown-view.js';
import { element } from '../ui/element.js';

await openResultPage({ schema: countdown.schema, draw });

/**
 * Draws the saved tests of a count-down as its page does.
 *
 * @type {import('../result-page.js').Draw}
 */
async function draw(document) {
  const result = fromDocument(document);
  showCountdown(result);
  const fairPlan = createFairPlan(result.choice.iterations, createSeed());
  element('#fair', HTMLAnchorElement).href = `/?${formatPlan(fairPlan)}`;
  return {
    markdown: () => formatMarkdown(result),
    planPath: `/countdown?${formatLink(result.choice)}`,
  };
}
