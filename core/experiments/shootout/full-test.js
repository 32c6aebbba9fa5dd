/** The part of the shootout in a full test: how much faster a message is answered. */
import { capitalize, formatCount, formatRange, formatRatio, formatRtt } from '../../base/format.js';
import { withoutVerdict } from '../../experiment/answer/answer.js';
import { labelOf } from '../../experiment/answer/labels.js';
import { sendsMessages, slownessIn, transportsIn } from '../../experiment/plan/situation.js';
import { SAME_RATIO } from '../../experiment/answer/verdict.js';
import { measuredSpeedOf, modelOf, slowDown, speedAt } from './distance-model.js';
import { createPlan, estimateDurationMs } from './plan.js';

/**
 * @import { OwnAnswer } from '../../experiment/answer/answer.js'
 * @import { FullTestPart } from '../../experiment/contract.js'
 * @import { Situation } from '../../experiment/plan/situation.js'
 * @import { Bars } from '../../picture/bars.js'
 * @import { Speed } from './distance-model.js'
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
 * (core/full-test/decide.js). News and streams have no other sentence, so theirs says it (`sayNoticed`). Where no distance
 * is known, as the transfer of a payload hides it, it is what was measured.
 * @param {Summary} found @param {Partial<Situation> & { rttMs: number }} situation @returns {OwnAnswer}
 */
function answer(found, situation) {
  const { rttMs } = situation;
  const model = modelOf(found);
  const speed = model ? speedAt(slowDown(model, slownessIn(situation)), rttMs) : measuredSpeedOf(found);
  if (!speed) return withoutVerdict(`${found.verdict.headline}.`);
  const { answer: compared, name, savingMs, messageMs, baselineMs, opening } = speed;
  const { subject: transport, baseline } = compared;
  return {
    ...compared,
    reason:
      `${name} ${formatRtt(messageMs)} ms, ${labelOf(baseline)} ${formatRtt(baselineMs)} ms per message. ${opening}`.trim(),
    topic: 'sending',
    aside: capitalize(`${formatRatio(compared)} as fast, ${formatRange(compared)}. ${opening}`.trim()),
    bars: barsOf(speed),
    savingMs,
    ...(model
      ? { overhead: { transport, baselineMs: baselineMs - rttMs, messageMs: messageMs - rttMs } }
      : asMeasured(found.result.plan)),
  };
}

/**
 * What an answer without a model is about, and why it is for nobody else.
 * @param {{ payloadBytes: number }} plan @returns {Pick<OwnAnswer, 'dependsOn' | 'onlyHere'>}
 */
const asMeasured = ({ payloadBytes }) =>
  payloadBytes > 0
    ? { dependsOn: `messages of ${formatCount(payloadBytes, 'byte')}`, onlyHere: 'with a payload' }
    : { onlyHere: 'with such a coarse clock' };

/**
 * The time of a message, and from which time on the challenger's would be a reason to move.
 * @param {Speed} speed @returns {Bars}
 */
export function barsOf({ answer: { subject, baseline }, name, baselineMs, messageMs }) {
  const length = (/** @type {number} */ ms) => ({ value: ms, figure: `${formatRtt(ms)} ms` });
  return [
    Object.freeze({ name: labelOf(baseline), colour: baseline, ...length(baselineMs) }),
    Object.freeze({ name, colour: subject, ...length(messageMs), matters: length(baselineMs / SAME_RATIO) }),
  ];
}
