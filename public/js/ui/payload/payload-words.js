/**
 * What came of each direction, in words: where the winner changes, what SockJS costs beside a WebSocket, what failed.
 */
import { describeDirection as describeFindings } from '../../../../core/experiments/payload/report.js';
import { element } from '../element.js';

/**
 * @import { ExperimentDocument } from '../../../../core/experiment/measure-document.js'
 * @import { PayloadTrial } from '../../../../core/experiments/payload/measure.js'
 * @import { PayloadPlan } from '../../../../core/experiments/payload/plan.js'
 * @import { Direction } from '../../../../core/net/transfer/index.js'
 */

/**
 * @typedef {ExperimentDocument< PayloadPlan, PayloadTrial>} PayloadDocument
 */

/** @returns {{ show(document: PayloadDocument): void }} */
export function createPayloadWords() {
  return {
    show(document) {
      // Nobody is said to be ahead of a run that ended early, nor of the published plan.
      const isJudged = !document.ending && !document.plan.preset;
      element('#result-headline', HTMLElement).textContent = isJudged ? 'Where the winner changes' : 'Time by size';
      for (const direction of document.plan.directions) {
        const sentences = describeDirection(document, direction);
        element(`#direction-${direction} ul`, HTMLElement).replaceChildren(...sentences.map(createItem));
      }
    },
  };
}

/**
 * @param {PayloadDocument} document
 * @param {Direction} direction
 * @returns {string[]} sentences; none of a run that ended early, as they would be relied on, nor of the published plan,
 *   which finds no winner
 */
export function describeDirection({ plan, trials, environment, ending }, direction) {
  if (ending || plan.preset) return [];
  return describeFindings(plan, trials, { direction, clock: environment });
}

/** @param {string} words */
function createItem(words) {
  return Object.assign(document.createElement('li'), { textContent: words });
}
