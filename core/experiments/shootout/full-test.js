/** The part of the shootout in a full test: how much faster a message is answered. */
import { formatRtt } from '../../base/format.js';
import { withoutVerdict } from '../../experiment/answer.js';
import { sendsMessages, transportsIn } from '../../experiment/situation.js';
import { labelOf } from '../../experiment/labels.js';
import { decide, modelOf } from './decision.js';
import { baselineOf, createPlan, estimateDurationMs } from './plan.js';

/**
 * @import { Found } from '../../experiment/answer.js'
 * @import { FullTestPart } from '../../experiment/contract.js'
 * @import { Placed, Situation } from '../../experiment/situation.js'
 * @import { Result } from './index.js'
 * @import { Summary } from './summary.js'
 */

/** @type {FullTestPart} */
export const fullTest = {
  question: 'Sending a message',
  about: 'How much faster a message is answered.',
  isNeeded: sendsMessages,
  quickPlan,
  secondsOf: (plan, roundTripMs) => Math.ceil(estimateDurationMs(plan, roundTripMs) / 1000),
  requestsOf: (/** @type {Result} */ { plan, trials }) =>
    trials.filter(({ transport }) => transport === baselineOf(plan)).flatMap(({ samples }) => samples.roundTripMs),
};

/** @param {Situation} situation @param {{ roundTripMs: number, seed: number }} path */
function quickPlan(situation, { roundTripMs, seed }) {
  return createPlan({ preset: 'standard', roundTripMs, seed, choices: { transports: transportsIn(situation) } });
}

/** @param {Summary} found @param {Placed} situation @returns {Found} */
export function answer(found, { rttMs }) {
  const model = modelOf(found);
  const { verdict: whole } = found;
  if (!model) return withoutVerdict(whole.headline.replace(/\.?$/, '.'));
  const { answer: compared, name, savingMs, messageMs, baselineMs, opening } = decide(model, rttMs);
  const { subject: transport, baseline } = compared;
  return {
    ...compared,
    reason:
      `${name} ${formatRtt(messageMs)} ms, ${labelOf(baseline)} ${formatRtt(baselineMs)} ms per message. ${opening}`.trim(),
    topic: 'sending',
    savingMs,
    overhead: { transport, baselineMs: baselineMs - rttMs, messageMs: messageMs - rttMs },
  };
}
