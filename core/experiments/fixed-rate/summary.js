/** Computes the latencies of trials at a fixed rate, compared with the back-to-back loop's. */
import { meanInterval, ratioInterval, percentile, sort, sumOf, median } from '../../base/statistics.js';
import { answerJudged } from '../../experiment/answer/answer.js';
import { barsBetween } from '../../experiment/answer/answer-card.js';
import { findBaseline, judge, judgeTimes } from '../../experiment/answer/compare.js';
import { isBrowser } from '../../experiment/run/names.js';
import { protocolsOf } from '../../experiment/run/trials.js';
import { HTTP1_CONNECTION_COUNT } from '../../net/http.js';

/**
 * @import { Interval } from '../../base/statistics.js'
 * @import { Judged } from '../../experiment/answer/verdict.js'
 * @import { FixedRatePlan } from './plan.js'
 * @import { FixedRateDocument, LoopTrial, OpenLoopTrial } from './schema.js'
 * @typedef {keyof typeof VIEWS} View
 * @typedef {{ ratePerSecond: number, rows: LatencyRow[], transports: TransportRow[] }} FixedRateSummary `ratePerSecond`: as planned
 * @typedef {{ isInBrowser: boolean }} Where only browsers limit the number of connections
 * @typedef {object} LatencyRow the percentiles of all blocks' samples together, absent for too few
 * @property {string} transport
 * @property {View} view
 * @property {string[]} protocols
 * @property {number} [p50Ms]
 * @property {number} [p95Ms]
 * @property {number} [p99Ms]
 * @property {number} [maxMs]
 * @property {Interval} [aboveClosedMs] the difference of the blocks' p50s to the back-to-back ones; absent below two blocks, too
 * @property {number} sampleCount
 * @property {number} [lateCount] absent without a plan, as the next one
 * @property {number} [missedCount]
 * @property {number} failureCount
 * @property {number} blockCount
 * @typedef {object} Overload of a rate that is more than a transport can carry
 * @property {Interval} carriedPerSecond
 * @property {number} maxUnansweredCount
 * @property {number} [roundTripMs]
 * @property {number} [connectionsCarryPerSecond] absent if the connections are not the limit
 * @typedef {object} OwnRow of a transport, without the others
 * @property {string} transport
 * @property {'carried' | 'behind' | 'unclear'} outcome `carried`: the planned rate within 10%, with every message answered; `behind`:
 *   clearly less than that rate
 * @property {number} blockCount in which answers came
 * @property {Overload} [overload] absent if it kept up, or if that is not clear
 * @property {Interval} [answersPerSecond] a geometric mean over the blocks; if it did not keep up, its throughput
 * @property {Interval} [p50Ms] from the planned time, as the next one: geometric means over the blocks with enough answers
 * @property {Interval} [p99Ms]
 * @typedef {OwnRow & { isBaseline: boolean, speedUp?: Judged }} TransportRow `speedUp`: of the p50s compared with the baseline's;
 *   absent if one of the two did not keep up
 */

/**
 * The start of a latency; a back-to-back loop has no plan, so it is the send. Conditions of the command name rows by these: another name
 * would break the scripts of others.
 */
export const VIEWS = Object.freeze({
  closed: 'back-to-back',
  plan: 'fixed rate, from the plan',
  send: 'fixed rate, from the send',
});

/**
 * Summarizes the trials: the latencies from each start, and whether each transport kept up.
 * @param {FixedRateDocument} document @returns {FixedRateSummary}
 */
export function summarize({ plan, trials, environment }) {
  const where = { isInBrowser: isBrowser(environment.userAgent) };
  return {
    ratePerSecond: plan.ratePerSecond,
    rows: summarizeFixedRate(plan, trials),
    transports: summarizeTransports(plan, trials, where),
  };
}

/** Answers how much faster each transport is than the baseline. @param {FixedRateSummary} summary */
export function answersOf({ transports }) {
  const base = transports.find(({ isBaseline }) => isBaseline);
  const sideOf = (/** @type {TransportRow | undefined} */ row) => ({
    name: row?.transport ?? '',
    value: row?.p50Ms?.estimate,
  });
  return transports.flatMap((row) => {
    if (!row.speedUp) return [];
    const bars = barsBetween(sideOf(base), sideOf(row));
    const what = { subject: row.transport, baseline: base?.transport ?? '' };
    const barsTitle = 'Median latency from the planned time';
    return [answerJudged({ ...what, unit: 'times-as-fast', bars, barsTitle }, row.speedUp)];
  });
}

/**
 * Computes the rows by transport, then by view.
 * @param {FixedRatePlan} plan @param {readonly LoopTrial[]} trials @returns {LatencyRow[]}
 */
export function summarizeFixedRate(plan, trials) {
  const views = /** @type {View[]} */ (Object.keys(VIEWS));
  return plan.transports.flatMap((transport) => {
    const own = trials.filter((trial) => trial.transport === transport);
    return views.map((view) => summarizeView(own, { transport, view, plan }));
  });
}

/**
 * @param {readonly LoopTrial[]} own @param {{ transport: string, view: View, plan: FixedRatePlan }} options
 * @returns {LatencyRow}
 */
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
    aboveClosedMs: hasPlan ? meanInterval(differencesOf(own, view)) : undefined,
    sampleCount: latencies.length,
    lateCount: hasPlan ? sumOf(open, (trial) => lateCountOf(trial, plan)) : undefined,
    missedCount: hasPlan ? sumOf(open, ({ missed }) => missed.unansweredCount + missed.endedCount) : undefined,
    failureCount: sumOf(trials, ({ failures }) => failures.length),
    blockCount: trials.filter(({ samples }) => samples.iteration.length > 0).length,
  };
}

/**
 * Returns the latencies in milliseconds, rising.
 * @param {readonly LoopTrial[]} trials @param {View} view @returns {number[]}
 */
export const sortedLatencies = (trials, view) => sort(trials.flatMap((trial) => latenciesOf(trial, view)));

/**
 * Returns the latencies in milliseconds.
 * @param {LoopTrial} trial @param {View} view that the trial has @returns {number[]}
 */
export function latenciesOf(trial, view) {
  if (trial.loop === 'closed') return trial.samples.roundTripMs;
  const { plannedAtMs, sentAtMs, endedAtMs } = trial.samples;
  const from = view === 'plan' ? plannedAtMs : sentAtMs;
  return endedAtMs.map((endedMs, i) => endedMs - from[i]);
}

/**
 * Returns the difference to the back-to-back trial's p50 for each block.
 * @param {readonly LoopTrial[]} own @param {View} view
 */
function differencesOf(own, view) {
  return openOf(own).flatMap((open) => {
    const closed = own.find(({ loop, block }) => loop === 'closed' && block === open.block);
    const p50Ms = percentile(sortedLatencies([open], view), 50);
    const closedP50Ms = closed && percentile(sortedLatencies([closed], 'closed'), 50);
    return p50Ms === undefined || closedP50Ms === undefined ? [] : p50Ms - closedP50Ms;
  });
}

/** Returns the trials that followed the plan. @param {readonly LoopTrial[]} trials @returns {OpenLoopTrial[]} */
export const openOf = (trials) => trials.filter((trial) => trial.loop === 'open');

/**
 * Counts the messages that were sent more than an interval late, failed or not.
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
 * Measures the delays of messages after their planned time.
 * @param {readonly LoopTrial[]} trials @returns {{ p50Ms?: number, p99Ms?: number }}
 */
export function measureSendDelays(trials) {
  const delays = sort(openOf(trials).flatMap(({ samples }) => delaysOf(samples)));
  return { p50Ms: percentile(delays, 50), p99Ms: percentile(delays, 99) };
}

/** The minimum number of answers in a trial to detect a growing queue. */
const MIN_TO_SEE_A_QUEUE = 20;
/** The part of the connections' limit above which they are what limits a rate. */
const NEAR_RATIO = 0.7;

/** @param {FixedRatePlan} plan @param {readonly LoopTrial[]} trials @param {Where} where @returns {TransportRow[]} */
function summarizeTransports(plan, trials, where) {
  const baseline = findBaseline(plan.transports);
  const rows = plan.transports.map((transport) => summarizeTransport(transport, plan, trials, where));
  const base = rows.find(({ transport }) => transport === baseline);
  return rows.map((row) => {
    const isBaseline = row === base;
    if (!base || isBaseline || [row, base].some(({ outcome }) => outcome === 'behind')) return { ...row, isBaseline };
    const [own, others] = [row, base].map(({ transport }) =>
      openOf(trials).filter((one) => one.transport === transport),
    );
    return { ...row, isBaseline, speedUp: judgeTimes(own, others, (trial) => percentileOf(trial, 50)) };
  });
}

/**
 * @param {string} transport @param {FixedRatePlan} plan @param {readonly LoopTrial[]} trials @param {Where} where
 * @returns {OwnRow}
 */
function summarizeTransport(transport, plan, trials, where) {
  const { ratePerSecond, messages } = plan;
  const own = trials.filter((trial) => trial.transport === transport);
  const open = openOf(own);
  const overload = findOverload(plan, own, where);
  const rates = open.flatMap((trial) => answerRateOf(trial) ?? []);
  const { verdict } = judge(rates.map((rate) => rate / ratePerSecond));
  const isWhole = open.every(({ samples }) => samples.iteration.length === messages);
  // Of a rate that the client itself planned, a little less is too little, too.
  const isBehind = overload || verdict === 'slower' || verdict === 'little-slower';
  const outcome = isBehind ? 'behind' : verdict === 'same' && isWhole ? 'carried' : 'unclear';
  return {
    transport,
    outcome,
    blockCount: rates.length,
    overload,
    answersPerSecond: overload?.carriedPerSecond ?? ratioInterval(rates),
    p50Ms: ratioInterval(open.flatMap((trial) => percentileOf(trial, 50) ?? [])),
    p99Ms: ratioInterval(open.flatMap((trial) => percentileOf(trial, 99) ?? [])),
  };
}

/**
 * Returns a percentile in ms; absent if a coarse clock saw no time pass, too.
 * @param {OpenLoopTrial} trial @param {number} percent
 */
const percentileOf = (trial, percent) => percentile(sortedLatencies([trial], 'plan'), percent) || undefined;

/**
 * Checks whether a rate is more than a transport can carry: fewer answers came than were planned, and the queue grew.
 * What is carried is the answers over the time from the first planned send to the last of them, as the mean of the blocks. The
 * round trip is the p50 of the back-to-back loop.
 * @param {{ ratePerSecond: number }} plan @param {readonly LoopTrial[]} own of one transport
 * @param {Where} where @returns {Overload | undefined} absent if that is not clear
 */
export function findOverload({ ratePerSecond }, own, { isInBrowser }) {
  const open = openOf(own).filter(({ samples }) => samples.iteration.length >= MIN_TO_SEE_A_QUEUE);
  const answeredPerSecond = meanInterval(open.flatMap((trial) => answerRateOf(trial) ?? []));
  const growth = meanInterval(open.map((trial) => growthOf(trial, ratePerSecond)));
  const carriedPerSecond = meanInterval(open.map(carriedBy));
  if (!answeredPerSecond || !growth || !carriedPerSecond) return undefined;
  if (answeredPerSecond.high >= ratePerSecond || growth.low <= 1) return undefined;
  const maxUnansweredCount = Math.max(...open.map(maxUnansweredOf));
  const closed = own.filter(({ loop }) => loop === 'closed');
  const roundTripMs = percentile(sortedLatencies(closed, 'closed'), 50);
  const overload = { carriedPerSecond, maxUnansweredCount, roundTripMs };
  const isHttp1 = protocolsOf(open).every((protocol) => protocol === 'http/1.1');
  if (!isInBrowser || !isHttp1 || !roundTripMs) return overload;
  const connectionsCarryPerSecond = (HTTP1_CONNECTION_COUNT / roundTripMs) * 1000;
  const isLimit = carriedPerSecond.estimate >= NEAR_RATIO * connectionsCarryPerSecond;
  return isLimit ? { ...overload, connectionsCarryPerSecond } : overload;
}

/**
 * Returns answers per second from the first answer to the last; absent if the clock did not move.
 * @param {OpenLoopTrial} trial
 */
function answerRateOf({ samples: { endedAtMs } }) {
  const elapsedMs = Math.max(...endedAtMs) - Math.min(...endedAtMs);
  return elapsedMs > 0 ? ((endedAtMs.length - 1) / elapsedMs) * 1000 : undefined;
}

/**
 * Returns the carried rate; without a growing queue it is below the planned one, because of the last round trip.
 * @param {OpenLoopTrial} trial
 */
function carriedBy({ samples: { plannedAtMs, endedAtMs } }) {
  return (endedAtMs.length / (Math.max(...endedAtMs) - plannedAtMs[0])) * 1000;
}

/** Returns by how many messages the queue grew. @param {OpenLoopTrial} trial @param {number} ratePerSecond */
function growthOf(trial, ratePerSecond) {
  const latencies = latenciesOf(trial, 'plan');
  const quarter = Math.floor(latencies.length / 4);
  const growthMs = Number(median(latencies.slice(-quarter))) - Number(median(latencies.slice(0, quarter)));
  return (growthMs * ratePerSecond) / 1000;
}

/** @param {OpenLoopTrial} trial */
function maxUnansweredOf({ samples: { sentAtMs, endedAtMs } }) {
  const ended = sort(endedAtMs);
  let answered = 0;
  let max = 0;
  for (const [i, sentMs] of sentAtMs.entries()) {
    while (ended[answered] <= sentMs) answered++;
    max = Math.max(max, i + 1 - answered);
  }
  return max;
}
