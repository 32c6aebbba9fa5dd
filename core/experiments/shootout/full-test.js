/** The part of the shootout in a full test: how much faster a message is answered. */
import { sendsMessages, transportsIn } from '../../experiment/situation.js';
import { createPlan, estimateDurationMs } from './plan.js';

/**
 * @import { FullTestPart } from '../../experiment/contract.js'
 * @import { Situation } from '../../experiment/situation.js'
 */

/** @type {FullTestPart} */
export const fullTest = {
  question: 'Sending a message',
  about: 'How much faster a message is answered.',
  isNeeded: sendsMessages,
  quickPlan,
  secondsOf: (plan, roundTripMs) => Math.ceil(estimateDurationMs(plan, roundTripMs) / 1000),
};

/** @param {Situation} situation @param {{ roundTripMs: number, seed: number }} path */
function quickPlan(situation, { roundTripMs, seed }) {
  return createPlan({ preset: 'standard', roundTripMs, seed, choices: { transports: transportsIn(situation) } });
}
