/** What trials at a fixed rate come to: latencies beside the back-to-back loop's. */
import { meanInterval } from '../../base/statistics/mean-interval.js';
import { percentile, sort } from '../../base/statistics/quantile.js';
import { sumOf } from '../../base/statistics/sum.js';
import { protocolsOf } from '../../experiment/trials.js';

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
      lateCount: sumOf(open, (trial) => lateCountOf(trial, plan)),
      missedCount: sumOf(open, ({ missed }) => missed.unansweredCount + missed.endedCount),
    }),
    failureCount: sumOf(trials, ({ failures }) => failures.length),
    blockCount: trials.filter(({ samples }) => samples.iteration.length > 0).length,
  };
}

/**
 * @param {readonly LoopTrial[]} trials
 * @param {View} view
 * @returns {number[]} milliseconds, rising
 */
export function sortedLatencies(trials, view) {
  return sort(trials.flatMap((trial) => latenciesOf(trial, view)));
}

/**
 * @param {LoopTrial} trial
 * @param {View} view that the trial has
 */
export function latenciesOf(trial, view) {
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
  const delays = sort(openOf(trials).flatMap(({ samples }) => delaysOf(samples)));
  return { p50Ms: percentile(delays, 50), p99Ms: percentile(delays, 99) };
}
