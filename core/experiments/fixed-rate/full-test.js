/** The part of a fixed rate in a full test: whether answers keep up with a schedule. */
import { formatSupported } from '../../base/format.js';
import { MIN_BLOCKS } from '../../experiment/answer/compare.js';
import { answerJudged, withoutVerdict } from '../../experiment/answer/answer.js';
import { parseFields } from '../../experiment/plan/fields.js';
import { transportsIn } from '../../experiment/plan/situation.js';
import { labelOf } from '../../experiment/answer/labels.js';
import { FIELDS } from './plan.js';

/**
 * @import { OwnAnswer } from '../../experiment/answer/answer.js'
 * @import { FullTestPart } from '../../experiment/contract.js'
 * @import { Placed, Situation } from '../../experiment/plan/situation.js'
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
 * Answers for a situation how much faster messages on a schedule are, or which of the two keeps up with it.
 * @param {FixedRateSummary} found @param {Placed} situation @returns {OwnAnswer}
 */
function answer({ ratePerSecond, transports: rows }, { uses, considers }) {
  const [own, base] = [considers, uses].map((name) => rows.find(({ transport }) => transport === name));
  if (!own || !base || Math.min(own.blockCount, base.blockCount) < MIN_BLOCKS) return withoutVerdict(TOO_FEW);
  if (isBehind(own) || isBehind(base)) return answerBehind(own, base, ratePerSecond);
  // A linked plan may compare with something else.
  if (!base.isBaseline || !own.speedUp?.verdict) return withoutVerdict(TOO_FEW);
  return {
    ...answerJudged({ subject: considers, baseline: uses, unit: 'times-as-fast' }, own.speedUp),
    reason: `Median time since a message was due: ${describeMedian(own)}, ${describeMedian(base)} ms.`,
  };
}

const TOO_FEW = `Fewer than ${MIN_BLOCKS} blocks could be compared.`;

const isBehind = (/** @type {TransportRow} */ { outcome }) => outcome === 'behind';

/**
 * Answers where at least one falls behind: with a verdict only if the other is known to keep up.
 * @param {TransportRow} own @param {TransportRow} base @param {number} ratePerSecond as planned @returns {OwnAnswer}
 */
function answerBehind(own, base, ratePerSecond) {
  if (isBehind(own) && isBehind(base)) return withoutVerdict('Neither keeps up with the schedule.');
  const [behind, other] = isBehind(own) ? [own, base] : [base, own];
  const reason = `${labelOf(behind.transport)} ${describeRate(behind)} of ${ratePerSecond.toLocaleString('en')} messages per second.`;
  if (other.outcome !== 'carried')
    return withoutVerdict(`${reason} It is not clear whether ${labelOf(other.transport)} keeps up.`);
  return {
    ...(behind === own ? { mark: 'worse', word: 'Falls behind' } : { mark: 'better', word: 'Keeps up' }),
    reason,
  };
}

/** Without a queue that grows, it is not known that it carries no more. @param {TransportRow} row */
const describeRate = ({ overload, answersPerSecond }) =>
  `${overload ? 'carries at most' : 'answered'} ${answersPerSecond ? formatSupported(answersPerSecond) : 0}`;

/** @param {TransportRow} row */
const describeMedian = ({ transport, p50Ms }) => `${labelOf(transport)} ${p50Ms?.estimate.toFixed(1)}`;
