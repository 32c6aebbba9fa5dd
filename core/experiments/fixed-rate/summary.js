/**
 * What trials at a fixed rate come to: latencies beside the back-to-back loop's, and whether the rate was kept up with.
 */
import { HTTP1_CONNECTION_COUNT } from '../../net/http1-connections.js';
import { meanInterval } from '../../base/statistics/mean-interval.js';
import { percentile, quantile } from '../../base/statistics/quantile.js';

/**
 * @import { Interval } from '../../base/statistics/mean-interval.js'
 * @import { LoopTrial, OpenLoopTrial } from './measure.js'
 * @import { FixedRatePlan } from './plan.js'
 */

/** What a latency counts from; back-to-back there is no plan, so from the send. */
export const VIEWS = Object.freeze({
  closed: 'back-to-back',
  plan: 'fixed rate, from the plan',
  send: 'fixed rate, from the send',
});

/** By fewer answers in a trial it cannot be said that a queue grew. */
const LEAST_TO_SEE_A_QUEUE = 20;

/** The connections are what ends a rate where it comes this near to what they could carry. */
const NEAR_RATIO = 0.7;

/**
 * @typedef {keyof typeof VIEWS} View
 *
 * @typedef {object} LatencyRow percentiles of all blocks' samples together
 * @property {string} transport
 * @property {View} view
 * @property {string[]} protocols
 * @property {number} [p50Ms] absent, as the next two, for too few samples
 * @property {number} [p95Ms]
 * @property {number} [p99Ms]
 * @property {number} [maxMs]
 * @property {Interval} [aboveClosedMs] of the blocks' p50s, how much this one is above the back-to-back one; absent there,
 *   and below two blocks
 * @property {number} sampleCount
 * @property {number} [lateCount] sent more than an interval after the plan; absent, as the next, where there is no plan
 * @property {number} [missedCount] never sent
 * @property {number} failureCount
 * @property {number} blockCount with samples
 */

/**
 * @param {FixedRatePlan} plan
 * @param {readonly LoopTrial[]} trials
 * @returns {LatencyRow[]} by transport, then by view
 */
export function summarizeFixedRate(plan, trials) {
  const views = /** @type {View[]} */ (Object.keys(VIEWS));
  return plan.transports.flatMap((transport) => {
    const own = trials.filter((trial) => trial.transport === transport);
    return views.map((view) => summarizeView(transport, view, own, plan));
  });
}

/**
 * @param {string} transport
 * @param {View} view
 * @param {readonly LoopTrial[]} own
 * @param {FixedRatePlan} plan
 * @returns {LatencyRow}
 */
function summarizeView(transport, view, own, plan) {
  const trials = own.filter(({ loop }) => (loop === 'closed') === (view === 'closed'));
  const latencies = sortedLatencies(trials, view);
  const open = openOf(trials);
  return {
    transport,
    view,
    protocols: protocolsOf(trials),
    p50Ms: percentile(latencies, 50),
    p95Ms: percentile(latencies, 95),
    p99Ms: percentile(latencies, 99),
    maxMs: latencies[latencies.length - 1],
    aboveClosedMs: view === 'closed' ? undefined : meanInterval(differencesOf(own, view)),
    sampleCount: latencies.length,
    ...(view !== 'closed' && {
      lateCount: sum(open.map((trial) => lateCountOf(trial, plan))),
      missedCount: sum(open.map(({ missed }) => missed.unansweredCount + missed.endedCount)),
    }),
    failureCount: sum(trials.map(({ failures }) => failures.length)),
    blockCount: trials.filter(({ samples }) => samples.iteration.length > 0).length,
  };
}

/** @param {readonly LoopTrial[]} trials */
function protocolsOf(trials) {
  return [...new Set(trials.map(({ protocol }) => protocol).filter((protocol) => protocol !== undefined))];
}

/**
 * @param {readonly LoopTrial[]} trials
 * @param {View} view
 * @returns {number[]} milliseconds, rising
 */
export function sortedLatencies(trials, view) {
  return trials.flatMap((trial) => latenciesOf(trial, view)).sort((a, b) => a - b);
}

/**
 * @param {LoopTrial} trial
 * @param {View} view that the trial has
 */
function latenciesOf(trial, view) {
  if (trial.loop === 'closed') return trial.samples.roundTripMs;
  const { plannedAtMs, sentAtMs, endedAtMs } = trial.samples;
  const from = view === 'plan' ? plannedAtMs : sentAtMs;
  return endedAtMs.map((endedMs, i) => endedMs - from[i]);
}

/**
 * @param {readonly LoopTrial[]} own of one transport
 * @param {View} view
 * @returns {number[]} of each block that has both, the p50 less that of the back-to-back trial
 */
function differencesOf(own, view) {
  return openOf(own).flatMap((open) => {
    const closed = own.find(({ loop, block }) => loop === 'closed' && block === open.block);
    const p50Ms = percentile(sortedLatencies([open], view), 50);
    const closedP50Ms = closed && percentile(sortedLatencies([closed], 'closed'), 50);
    return p50Ms === undefined || closedP50Ms === undefined ? [] : p50Ms - closedP50Ms;
  });
}

/**
 * @param {readonly LoopTrial[]} trials
 * @returns {OpenLoopTrial[]}
 */
export function openOf(trials) {
  return trials.filter((trial) => trial.loop === 'open');
}

/**
 * Failed or not: what was sent more than an interval after its time.
 *
 * @param {OpenLoopTrial} trial
 * @param {FixedRatePlan} plan
 */
function lateCountOf({ samples, failures }, { ratePerSecond }) {
  const failedDelays = failures.flatMap(({ plannedAtMs, sentAtMs }) =>
    plannedAtMs === undefined || sentAtMs === undefined ? [] : sentAtMs - plannedAtMs,
  );
  return [...delaysOf(samples), ...failedDelays].filter((delayMs) => delayMs > 1000 / ratePerSecond).length;
}

/** @param {OpenLoopTrial['samples']} samples */
function delaysOf({ plannedAtMs, sentAtMs }) {
  return sentAtMs.map((sentMs, i) => sentMs - plannedAtMs[i]);
}

/**
 * How well this page could keep to the plan.
 *
 * @param {readonly LoopTrial[]} trials
 * @returns {{ p50Ms?: number, p99Ms?: number }} how long after their time messages left
 */
export function measureSendDelays(trials) {
  const delays = openOf(trials)
    .flatMap(({ samples }) => delaysOf(samples))
    .sort((a, b) => a - b);
  return { p50Ms: percentile(delays, 50), p99Ms: percentile(delays, 99) };
}

/**
 * @typedef {object} Overload of a transport that did not keep up with the rate
 * @property {Interval} carriedPerSecond answers by the time from the first planned send to the last of them, mean over the
 *   blocks
 * @property {number} mostUnansweredCount
 * @property {number} [connectionsCarryPerSecond] what the connections could at this round trip; absent where it is not they
 *   that end it
 * @property {number} [roundTripMs] p50 of the back-to-back loop
 */

/**
 * A rate is more than a transport carries where in the blocks fewer answers came than were asked for, and ever more were
 * waited for.
 *
 * @param {FixedRatePlan} plan
 * @param {readonly LoopTrial[]} own of one transport
 * @returns {Overload | undefined} absent where it kept up, or where that is not sure
 */
export function findOverload({ ratePerSecond }, own) {
  const open = openOf(own).filter(({ samples }) => samples.iteration.length >= LEAST_TO_SEE_A_QUEUE);
  const answeredPerSecond = meanInterval(open.map(answerRateOf).filter((rate) => rate !== undefined));
  const growth = meanInterval(open.map((trial) => growthOf(trial, ratePerSecond)));
  const carriedPerSecond = meanInterval(open.map(carriedBy));
  if (!answeredPerSecond || !growth || !carriedPerSecond) return undefined;
  if (answeredPerSecond.high >= ratePerSecond || growth.low <= 1) return undefined;
  const mostUnansweredCount = Math.max(...open.map(mostUnanswered));
  const roundTripMs = percentile(
    sortedLatencies(
      own.filter(({ loop }) => loop === 'closed'),
      'closed',
    ),
    50,
  );
  const overload = { carriedPerSecond, mostUnansweredCount, roundTripMs };
  if (!protocolsOf(open).every((protocol) => protocol === 'http/1.1') || !roundTripMs) return overload;
  const connectionsCarryPerSecond = (HTTP1_CONNECTION_COUNT / roundTripMs) * 1000;
  return carriedPerSecond.estimate >= NEAR_RATIO * connectionsCarryPerSecond
    ? { ...overload, connectionsCarryPerSecond }
    : overload;
}

/**
 * @param {OpenLoopTrial} trial
 * @returns {number | undefined} answers per second from the first to the last; absent where the clock did not move
 */
function answerRateOf({ samples: { endedAtMs } }) {
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
 * @returns {number} by how many messages the last quarter waits longer than the first, at the rate
 */
function growthOf(trial, ratePerSecond) {
  const latencies = latenciesOf(trial, 'plan');
  const quarter = Math.floor(latencies.length / 4);
  const medianOf = (/** @type {number[]} */ values) =>
    Number(
      quantile(
        values.sort((a, b) => a - b),
        0.5,
      ),
    );
  const growthMs = medianOf(latencies.slice(-quarter)) - medianOf(latencies.slice(0, quarter));
  return (growthMs * ratePerSecond) / 1000;
}

/** @param {OpenLoopTrial} trial */
function mostUnanswered({ samples: { sentAtMs, endedAtMs } }) {
  const ended = [...endedAtMs].sort((a, b) => a - b);
  let answered = 0;
  let most = 0;
  for (const [i, sentMs] of sentAtMs.entries()) {
    while (ended[answered] <= sentMs) answered++;
    most = Math.max(most, i + 1 - answered);
  }
  return most;
}

/** @param {readonly number[]} values */
export function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}
