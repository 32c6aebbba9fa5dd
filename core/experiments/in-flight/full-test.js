/** The part of messages in flight in a full test: how many more messages go through at once. */
import { formatSupported } from '../../base/format.js';
import { sumOf } from '../../base/statistics.js';
import { MIN_BLOCKS } from '../../experiment/answer/compare.js';
import { answerJudged, withoutVerdict } from '../../experiment/answer/answer.js';
import { parseFields } from '../../experiment/plan/fields.js';
import { transportsIn } from '../../experiment/plan/situation.js';
import { transports } from '../../net/echo/index.js';
import { HTTP1_CONNECTION_COUNT } from '../../net/http.js';
import { labelOf } from '../../experiment/answer/labels.js';
import { FIELDS, messagesAt } from './plan.js';

/**
 * @import { Interval } from '../../base/statistics.js'
 * @import { OwnAnswer } from '../../experiment/answer/answer.js'
 * @import { FullTestPart, KnownPath } from '../../experiment/contract.js'
 * @import { Placed, Situation } from '../../experiment/plan/situation.js'
 * @import { DepthPlan } from './plan.js'
 * @import { DepthSummary, TransportRow } from './summary.js'
 */

const DEPTHS = [1, 32];
/** The round trips of opening a socket, and of asking for the server's status. */
const ROUND_TRIPS = { ofSocket: 3, ofRun: 3 };

/** @type {FullTestPart} */
export const fullTest = {
  question: 'Messages in flight',
  about: `How many more messages per second go through with ${DEPTHS[1]} at once.`,
  quickPlan,
  secondsOf,
  answer,
};

/** @param {Situation} situation @param {{ seed: number }} path @returns {DepthPlan} */
function quickPlan(situation, { seed }) {
  return {
    ...parseFields(new URLSearchParams(), FIELDS, { seed }),
    transports: transportsIn(situation),
    depths: DEPTHS,
  };
}

/** @param {DepthPlan} plan @param {number} roundTripMs of HTTP @param {KnownPath} [path] */
function secondsOf(
  { transports: chosen, depths, blocks },
  roundTripMs,
  { requestLimit = HTTP1_CONNECTION_COUNT } = {},
) {
  const tripCount = sumOf(chosen, (name) => sumOf(depths, (depth) => tripCountOf(name, { depth, requestLimit })));
  return Math.ceil(((ROUND_TRIPS.ofRun + blocks * tripCount) * roundTripMs) / 1000) + 1;
}

/**
 * Counts the round trips of a trial, one after the other, with those of the warm-up: a message for each in flight.
 * @param {string} transport @param {{ depth: number, requestLimit: number }} sent
 */
function tripCountOf(transport, { depth, requestLimit }) {
  const { isSocket } = transports[transport];
  const atOnce = isSocket ? depth : Math.min(depth, requestLimit);
  return (isSocket ? ROUND_TRIPS.ofSocket : 0) + (depth + messagesAt(depth)) / atOnce;
}

/**
 * Answers for a situation how many more messages a transport sends per second.
 * @param {DepthSummary} found @param {Placed} situation @returns {OwnAnswer}
 */
function answer({ transports: rows }, { uses, considers }) {
  const [own, base] = [considers, uses].map((name) => rows.find(({ single }) => single.transport === name));
  // A linked plan may compare with something else.
  if (!base?.isBaseline || !own?.speedUp?.verdict)
    return withoutVerdict(`Fewer than ${MIN_BLOCKS} blocks could be compared.`);
  const { depth } = own.deepest;
  const compared = answerJudged({ subject: considers, baseline: uses, unit: 'times-as-many' }, own.speedUp);
  return { ...compared, reason: `${depth} messages at once: ${describeRate(own)}, ${describeRate(base)} messages/s.` };
}

/** @param {TransportRow} row */
const describeRate = ({ deepest: { transport, messagesPerSecond } }) =>
  `${labelOf(transport)} ${formatSupported(/** @type {Interval} */ (messagesPerSecond))}`;
