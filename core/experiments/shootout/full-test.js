/** The part of the shootout in a full test: how much faster a message is answered. */
import { formatRtt } from '../../base/format.js';
import { formatJudgedLine, withoutVerdict } from '../../experiment/score-line.js';
import { sendsMessages, transportsIn } from '../../experiment/situation.js';
import { transports } from '../../net/echo/index.js';
import { labelOf } from '../../experiment/labels.js';
import { decide, modelOf } from './decision.js';
import { createPlan, estimateDurationMs } from './plan.js';
import { didFallBack } from './verdict.js';

/**
 * @import { FullTestPart, ScoreLine } from '../../experiment/score-line.js'
 * @import { Placed, Situation } from '../../experiment/situation.js'
 * @import { Row, Summary } from './summary.js'
 */

/** @type {FullTestPart} */
export const fullTest = {
  question: 'Sending a message',
  about: 'How much faster a message is answered.',
  isNeeded: sendsMessages,
  predicts: true,
  quickPlan,
  secondsOf: (plan, roundTripMs) => Math.ceil(estimateDurationMs(plan, roundTripMs) / 1000),
  lineOf,
};

/** @param {Situation} situation @param {{ roundTripMs: number, seed: number }} path */
function quickPlan(situation, { roundTripMs, seed }) {
  return createPlan({ preset: 'quick', roundTripMs, seed, choices: { transports: transportsIn(situation) } });
}

/** @param {Summary} found @param {Placed} situation @returns {ScoreLine} */
function lineOf(found, { rttMs }) {
  const model = modelOf(found);
  const { verdict: whole } = found;
  if (!model) return withoutVerdict(whole.headline.replace(/\.?$/, '.'));
  const decision = decide(model, rttMs);
  const { name, baseline, speedRatio, savingMs, verdict, messageMs, baselineMs, opening, interval } = decision;
  const row = found.rows.find(({ transport }) => transport === model.transport);
  return {
    .../** @type {ScoreLine} */ (formatJudgedLine({ verdict, ratio: speedRatio }, { interval })),
    reason:
      `${name} ${formatRtt(messageMs)} ms, ${labelOf(baseline)} ${formatRtt(baselineMs)} ms per message. ${opening}`.trim(),
    finding: {
      topic: 'sending',
      verdict,
      name: labelOf(model.transport),
      baseline: labelOf(baseline),
      speedRatio,
      savingMs,
      overhead: { transport: model.transport, baselineMs: baselineMs - rttMs, messageMs: messageMs - rttMs },
      ...(row && didFallBack(row) && { fallback: fallbackOf(row) }),
    },
  };
}

/** @param {Row} row that fell back */
const fallbackOf = ({ transport, protocols }) => ({
  protocol: protocols.join(' and '),
  cost: transports[transport].fallbackCost,
});
