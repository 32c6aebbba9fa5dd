/** Whether a transport kept up with the planned rate, and what limits it where it did not. */
import { meanInterval } from '../../base/statistics/mean-interval.js';
import { median, percentile, sort } from '../../base/statistics/quantile.js';
import { protocolsOf } from '../../experiment/trials.js';
import { HTTP1_CONNECTION_COUNT } from '../../net/http1-connections.js';
import { latenciesOf, openOf, sortedLatencies } from './summary.js';

/**
 * @import { Interval } from '../../base/statistics/mean-interval.js'
 * @import { LoopTrial, OpenLoopTrial } from './measure.js'
 * @import { FixedRatePlan } from './plan.js'
 */

/** With fewer answers in a trial it cannot be said that a queue grew. */
const MIN_TO_SEE_A_QUEUE = 20;

/** The connections are the limit where a rate comes this near to what they can carry. */
const NEAR_RATIO = 0.7;

/**
 * @typedef {object} Overload of a transport that did not keep up with the rate
 * @property {Interval} carriedPerSecond answers by the time from the first planned send to the last of them, mean over the
 *   blocks
 * @property {number} mostUnansweredCount
 * @property {number} [connectionsCarryPerSecond] what the connections can at this round trip; absent where they are not
 *   the limit
 * @property {number} [roundTripMs] p50 of the back-to-back loop
 */

/**
 * A rate is more than a transport carries where, over the blocks, fewer answers came than were planned, and the queue grew.
 *
 * @param {Pick<FixedRatePlan, 'ratePerSecond'>} plan
 * @param {readonly LoopTrial[]} own of one transport
 * @param {{ isInBrowser: boolean }} where only there do connections limit a rate
 * @returns {Overload | undefined} absent where that is not clear, too
 */
export function findOverload({ ratePerSecond }, own, { isInBrowser }) {
  const open = openOf(own).filter(({ samples }) => samples.iteration.length >= MIN_TO_SEE_A_QUEUE);
  const answeredPerSecond = meanInterval(open.map(answerRateOf).filter((rate) => rate !== undefined));
  const growth = meanInterval(open.map((trial) => growthOf(trial, ratePerSecond)));
  const carriedPerSecond = meanInterval(open.map(carriedBy));
  if (!answeredPerSecond || !growth || !carriedPerSecond) return undefined;
  if (answeredPerSecond.high >= ratePerSecond || growth.low <= 1) return undefined;
  const mostUnansweredCount = Math.max(...open.map(mostUnanswered));
  const closed = own.filter(({ loop }) => loop === 'closed');
  const roundTripMs = percentile(sortedLatencies(closed, 'closed'), 50);
  const overload = { carriedPerSecond, mostUnansweredCount, roundTripMs };
  const isHttp1 = protocolsOf(open).every((protocol) => protocol === 'http/1.1');
  if (!isInBrowser || !isHttp1 || !roundTripMs) return overload;
  const connectionsCarryPerSecond = (HTTP1_CONNECTION_COUNT / roundTripMs) * 1000;
  return carriedPerSecond.estimate >= NEAR_RATIO * connectionsCarryPerSecond
    ? { ...overload, connectionsCarryPerSecond }
    : overload;
}

/**
 * @param {OpenLoopTrial} trial
 * @returns {number | undefined} answers per second from the first to the last; absent where the clock did not move
 */
export function answerRateOf({ samples: { endedAtMs } }) {
  const elapsedMs = Math.max(...endedAtMs) - Math.min(...endedAtMs);
  return elapsedMs > 0 ? ((endedAtMs.length - 1) / elapsedMs) * 1000 : undefined;
}

/**
 * Where a queue grows this is what can be carried, and never more; where none does it is less than was asked for, by the
 * last round trip.
 *
 * @param {OpenLoopTrial} trial
 */
function carriedBy({ samples: { plannedAtMs, endedAtMs } }) {
  return (endedAtMs.length / (Math.max(...endedAtMs) - plannedAtMs[0])) * 1000;
}

/**
 * @param {OpenLoopTrial} trial
 * @param {number} ratePerSecond
 * @returns {number} by how many messages the queue grew from the first quarter to the last
 */
function growthOf(trial, ratePerSecond) {
  const latencies = latenciesOf(trial, 'plan');
  const quarter = Math.floor(latencies.length / 4);
  const growthMs = Number(median(latencies.slice(-quarter))) - Number(median(latencies.slice(0, quarter)));
  return (growthMs * ratePerSecond) / 1000;
}

/** @param {OpenLoopTrial} trial */
function mostUnanswered({ samples: { sentAtMs, endedAtMs } }) {
  const ended = sort(endedAtMs);
  let answered = 0;
  let most = 0;
  for (const [i, sentMs] of sentAtMs.entries()) {
    while (ended[answered] <= sentMs) answered++;
    most = Math.max(most, i + 1 - answered);
  }
  return most;
}
