/** The part of a fixed rate in a full test: whether answers keep up with a schedule. */
import { MIN_BLOCKS } from '../../experiment/compare.js';
import { answerJudged, withoutVerdict } from '../../experiment/answer.js';
import { parseFields } from '../../experiment/fields.js';
import { transportsIn } from '../../experiment/situation.js';
import { labelOf } from '../../experiment/labels.js';
import { FIELDS } from './plan.js';

/**
 * @import { OwnAnswer } from '../../experiment/answer.js'
 * @import { FullTestPart } from '../../experiment/contract.js'
 * @import { Placed, Situation } from '../../experiment/situation.js'
 * @import { FixedRatePlan } from './plan.js'
 * @import { FixedRateSummary, TransportRow } from './summary.js'
 */

const RATE_PER_SECOND = 20;
const MESSAGE_COUNT = 40;
/** The round trips of a trial besides its messages: opening the connection, and the warm-up. */
const SET_UP_ROUND_TRIPS = 4;

/** @type {FullTestPart} */
export const fullTest = {
  question: 'Fixed rate',
  about: `How late answers are when ${RATE_PER_SECOND} messages per second leave without waiting for them.`,
  isExtra: true,
  quickPlan,
  secondsOf,
  answer,
};

/** @param {Situation} situation @param {{ seed: number }} path @returns {FixedRatePlan} */
function quickPlan(situation, { seed }) {
  return {
    ...parseFields(new URLSearchParams(), FIELDS, { seed }),
    transports: transportsIn(situation),
    ratePerSecond: RATE_PER_SECOND,
    messages: MESSAGE_COUNT,
  };
}

/** @param {FixedRatePlan} plan @param {number} roundTripMs */
function secondsOf({ transports: { length }, ratePerSecond, messages, blocks }, roundTripMs) {
  const openMs = (1000 * messages) / ratePerSecond + roundTripMs;
  const closedMs = messages * roundTripMs;
  return Math.ceil((blocks * length * (openMs + closedMs + 2 * SET_UP_ROUND_TRIPS * roundTripMs)) / 1000) + 1;
}

/**
 * Answers for a situation how much faster messages on a schedule are.
 * @param {FixedRateSummary} found @param {Placed} situation @returns {OwnAnswer}
 */
function answer({ transports: rows }, { uses, considers }) {
  const [own, base] = [considers, uses].map((name) => rows.find(({ transport }) => transport === name));
  if (!own || !base) return withoutVerdict(TOO_FEW);
  const behind = [own, base].filter(({ outcome }) => outcome === 'behind');
  if (behind.length === 2) return withoutVerdict('Neither keeps up with the schedule.');
  if (behind.length === 1) return describeBehind(behind[0] === own, behind[0]);
  // A linked plan may compare with something else.
  if (!base.isBaseline || !own.speedUp?.verdict) return withoutVerdict(TOO_FEW);
  return {
    ...answerJudged({ subject: considers, baseline: uses, unit: 'times-as-fast' }, own.speedUp),
    reason: `Median time since a message was due: ${describeMedian(own)}, ${describeMedian(base)} ms.`,
  };
}

const TOO_FEW = `Fewer than ${MIN_BLOCKS} blocks could be compared.`;

/** @param {boolean} isOwn @param {TransportRow} row that does not keep up @returns {OwnAnswer} */
const describeBehind = (isOwn, { transport, answersPerSecond }) => ({
  ...(isOwn ? { mark: 'worse', word: 'Falls behind' } : { mark: 'better', word: 'Keeps up' }),
  reason: `${labelOf(transport)} carries at most ${answersPerSecond?.estimate.toFixed(0)} of ${RATE_PER_SECOND} messages per second.`,
});

/** @param {TransportRow} row */
const describeMedian = ({ transport, p50Ms }) => `${labelOf(transport)} ${p50Ms?.estimate.toFixed(1)}`;
