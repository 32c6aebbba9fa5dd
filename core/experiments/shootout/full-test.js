/** The part of the shootout in a full test: how much faster a message is answered. */
import { formatRange, formatRatio, formatRtt } from '../../base/format.js';
import { withoutVerdict } from '../../experiment/answer/answer.js';
import { labelOf } from '../../experiment/answer/labels.js';
import { sendsMessages, slownessIn, transportsIn } from '../../experiment/plan/situation.js';
import { SAME_RATIO } from '../../experiment/answer/verdict.js';
import { decideAt, modelOf, slowDown } from './distance-model.js';
import { createPlan, estimateDurationMs } from './plan.js';

/**
 * @import { OwnAnswer } from '../../experiment/answer/answer.js'
 * @import { FullTestPart } from '../../experiment/contract.js'
 * @import { Situation } from '../../experiment/plan/situation.js'
 * @import { Bars } from '../../picture/bars.js'
 * @import { Decision } from './distance-model.js'
 * @import { Summary } from './summary.js'
 */

/** @satisfies {FullTestPart} */
export const fullTest = {
  question: 'Sending a message',
  about: 'How much faster a message is answered.',
  isNeeded: sendsMessages,
  quickPlan,
  secondsOf: (plan, roundTripMs) => Math.ceil(estimateDurationMs(plan, roundTripMs) / 1000),
  answer,
};

/** @param {Situation} situation @param {{ roundTripMs: number, seed: number }} path */
function quickPlan(situation, { roundTripMs, seed }) {
  return createPlan({ preset: 'standard', roundTripMs, seed, choices: { transports: transportsIn(situation) } });
}

/**
 * Answers how much faster a message is answered, for users in a situation. It stays 'Faster' where nobody notices, as it says the
 * ratio that the matrix sums up for visitors with other limits; the sentence that decides says whether users notice
 * (core/full-test/decide.js). News and streams have no other sentence, so theirs says it (`sayNoticed`).
 * @param {Summary} found @param {Partial<Situation> & { rttMs: number }} situation @returns {OwnAnswer}
 */
function answer(found, situation) {
  const { rttMs } = situation;
  const model = modelOf(found);
  if (!model) return withoutVerdict(`${found.verdict.headline}.`);
  const decision = decideAt(slowDown(model, slownessIn(situation)), rttMs);
  const { answer: compared, name, savingMs, messageMs, baselineMs, opening } = decision;
  const { subject: transport, baseline } = compared;
  return {
    ...compared,
    reason:
      `${name} ${formatRtt(messageMs)} ms, ${labelOf(baseline)} ${formatRtt(baselineMs)} ms per message. ${opening}`.trim(),
    topic: 'sending',
    aside: `${formatRatio(compared)} as fast, ${formatRange(compared)}. ${opening}`.trim(),
    bars: barsOf(decision),
    savingMs,
    overhead: { transport, baselineMs: baselineMs - rttMs, messageMs: messageMs - rttMs },
  };
}

/**
 * The time of a message, and from which time on the challenger's would be a reason to move.
 * @param {Decision} decision @returns {Bars}
 */
export function barsOf({ answer: { subject, baseline }, name, baselineMs, messageMs }) {
  const length = (/** @type {number} */ ms) => ({ value: ms, figure: `${formatRtt(ms)} ms` });
  return [
    Object.freeze({ name: labelOf(baseline), colour: baseline, ...length(baselineMs) }),
    Object.freeze({ name, colour: subject, ...length(messageMs), matters: length(baselineMs / SAME_RATIO) }),
  ];
}
