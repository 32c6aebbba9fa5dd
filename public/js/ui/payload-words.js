/**
 * What came of each direction, in words: where the winner changes, what SockJS's framing costs, what failed.
 */
import { describePayload } from '../../core/experiments/payload-report.js';
import { element } from './element.js';

/**
 * @typedef {import('../../core/measure-document.js').ExperimentDocument<
 *   import('../../core/experiments/payload-plan.js').PayloadPlan,
 *   import('../../core/experiments/payload.js').PayloadTrial>} PayloadDocument
 */

/** @returns {{ show(document: PayloadDocument): void }} */
export function createPayloadWords() {
  return {
    show(document) {
      for (const direction of document.plan.directions) {
        const sentences = describeDirection(document, direction);
        element(`#direction-${direction} ul`, HTMLElement).replaceChildren(...sentences.map(createItem));
      }
    },
  };
}

/**
 * @param {PayloadDocument} document
 * @param {import('../../core/experiments/payload-plan.js').Direction} direction
 * @returns {string[]} sentences; none of a run that ended early, as they would be relied on, nor of the published plan,
 *   which finds no winner
 */
export function describeDirection({ plan, trials, environment, ending }, direction) {
  if (ending || plan.preset) return [];
  const own = trials.filter((trial) => trial.direction === direction);
  return describePayload({ ...plan, directions: [direction] }, own, environment);
}

/** @param {string} words */
function createItem(words) {
  return Object.assign(document.createElement('li'), { textContent: words });
}
