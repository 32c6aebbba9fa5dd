/** What trials at a fixed rate come to: latencies beside the back-to-back loop's. */
import { meanInterval } from '../../base/statistics/intervals.js';
import { percentile, sort, sumOf } from '../../base/statistics/values.js';
import { protocolsOf } from '../../experiment/trials.js';

/** @import { FixedRatePlan, LoopTrial, OpenLoopTrial } from './index.js' */

/** What a latency counts from; back-to-back there is no plan, so from the send. */
export const VIEWS = Object.freeze({
  closed: 'back-to-back',
  plan: 'fixed rate, from the plan',
  send: 'fixed rate, from the send',
});

/**
 * @typedef {keyof typeof VIEWS} View
 * @typedef {ReturnType<typeof summarizeView>} LatencyRow percentiles of all blocks' samples together, absent for too few
 */

/** By transport, then by view. @param {FixedRatePlan} plan @param {readonly LoopTrial[]} trials @returns {LatencyRow[]} */
export function summarizeFixedRate(plan, trials) {
  const views = /** @type {View[]} */ (Object.keys(VIEWS));
  return plan.transports.flatMap((transport) => {
    const own = trials.filter((trial) => trial.transport === transport);
    return views.map((view) => summarizeView(own, { transport, view, plan }));
  });
}

/** @param {readonly LoopTrial[]} own @param {{ transport: string, view: View, plan: FixedRatePlan }} options */
function summarizeView(own, { transport, view, plan }) {
  const trials = own.filter(({ loop }) => (loop === 'closed') === (view === 'closed'));
  const latencies = sortedLatencies(trials, view);
  const open = openOf(trials);
  const hasPlan = view !== 'closed';
  return {
    transport,
    view,
    protocols: protocolsOf(trials),
    p50Ms: percentile(latencies, 50),
    p95Ms: percentile(latencies, 95),
    p99Ms: percentile(latencies, 99),
    maxMs: latencies.at(-1),
    /** Of the blocks' p50s, how much this one is above the back-to-back one; absent below two blocks, too. */
    aboveClosedMs: hasPlan ? meanInterval(differencesOf(own, view)) : undefined,
    sampleCount: latencies.length,
    /** Sent more than an interval after the plan. */
    lateCount: hasPlan ? sumOf(open, (trial) => lateCountOf(trial, plan)) : undefined,
    /** Never sent. */
    missedCount: hasPlan ? sumOf(open, ({ missed }) => missed.unansweredCount + missed.endedCount) : undefined,
    failureCount: sumOf(trials, ({ failures }) => failures.length),
    /** With samples. */
    blockCount: trials.filter(({ samples }) => samples.iteration.length > 0).length,
  };
}

/** In milliseconds, rising. @param {readonly LoopTrial[]} trials @param {View} view @returns {number[]} */
export const sortedLatencies = (trials, view) => sort(trials.flatMap((trial) => latenciesOf(trial, view)));

/** In milliseconds. @param {LoopTrial} trial @param {View} view that the trial has @returns {number[]} */
export function latenciesOf(trial, view) {
  if (trial.loop === 'closed') return trial.samples.roundTripMs;
  const { plannedAtMs, sentAtMs, endedAtMs } = trial.samples;
  const from = view === 'plan' ? plannedAtMs : sentAtMs;
  return endedAtMs.map((endedMs, i) => endedMs - from[i]);
}

/**
 * Of each block that has both, the p50 less that of the back-to-back trial.
 * @param {readonly LoopTrial[]} own of one transport @param {View} view
 */
function differencesOf(own, view) {
  return openOf(own).flatMap((open) => {
    const closed = own.find(({ loop, block }) => loop === 'closed' && block === open.block);
    const p50Ms = percentile(sortedLatencies([open], view), 50);
    const closedP50Ms = closed && percentile(sortedLatencies([closed], 'closed'), 50);
    return p50Ms === undefined || closedP50Ms === undefined ? [] : p50Ms - closedP50Ms;
  });
}

/** @param {readonly LoopTrial[]} trials @returns {OpenLoopTrial[]} */
export const openOf = (trials) => trials.filter((trial) => trial.loop === 'open');

/**
 * Failed or not: what was sent more than an interval after its time.
 * @param {OpenLoopTrial} trial @param {FixedRatePlan} plan
 */
function lateCountOf({ samples, failures }, { ratePerSecond }) {
  const failedDelays = failures.flatMap(({ plannedAtMs, sentAtMs }) =>
    plannedAtMs === undefined || sentAtMs === undefined ? [] : sentAtMs - plannedAtMs,
  );
  return [...delaysOf(samples), ...failedDelays].filter((delayMs) => delayMs > 1000 / ratePerSecond).length;
}

/** @param {OpenLoopTrial['samples']} samples */
const delaysOf = ({ plannedAtMs, sentAtMs }) => sentAtMs.map((sentMs, i) => sentMs - plannedAtMs[i]);

/**
 * How well this page could keep to the plan.
 * @param {readonly LoopTrial[]} trials
 * @returns {{ p50Ms?: number, p99Ms?: number }} how long after their time messages left
 */
export function measureSendDelays(trials) {
  const delays = sort(openOf(trials).flatMap(({ samples }) => delaysOf(samples)));
  return { p50Ms: percentile(delays, 50), p99Ms: percentile(delays, 99) };
}
