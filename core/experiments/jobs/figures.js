/** Computes the figures of one delivery method, of all its trials together: how late it notified, and what a job cost. */
import { byFrequency } from '../../base/format.js';
import { meanInterval, mean, percentile, sumOf } from '../../base/statistics.js';
import { protocolsOf } from '../../experiment/run/trials.js';
import { lagErrorOf, lagsIn, periodOf, predictTrial, roundTripOf } from './lag.js';
import { publishedOf } from './published.js';
import { bytesOf, cpuOf, requestsPerJobOf } from './traffic.js';

/**
 * @import { Interval } from '../../base/statistics.js'
 * @import { Rule } from '../../experiment/answer/compare.js'
 * @import { JobsTrial } from './schema.js'
 * @import { Measured } from './summary.js'
 * @import { Bytes } from './traffic.js'
 * @typedef {object} Lag of notifications, ms; each figure is absent for too few jobs
 * @property {number} [p50Ms]
 * @property {number} [p90Ms]
 * @property {number} [p95Ms]
 * @property {number} [maxMs]
 * @property {number} [meanMs]
 * @property {Interval} [interval] over the blocks; a single trial has one only by polling, over the jobs
 * @typedef {object} OwnRow of one delivery method, all its trials together, without the others
 * @property {string} delivery
 * @property {number} [intervalMs]
 * @property {string} [protocol]
 * @property {number} [newsBytes]
 * @property {number} jobCount
 * @property {number} notifiedCount
 * @property {number} lateCount there was no notification within the limit
 * @property {number} failureCount
 * @property {[string, number][]} failureReasons the most frequent first
 * @property {number} openCount
 * @property {Lag} lag
 * @property {number} lagDecimals
 * @property {number} [periodMs] of polls
 * @property {number} [pollsPerJob]
 * @property {number} [requestsPerJob]
 * @property {Bytes} [bytesPerJob]
 * @property {string} [bytesFault] why they are absent
 * @property {number} [cpuMsPerJob]
 * @property {string} [cpuFault] why it is absent
 * @property {{ pollsPerJob?: number, meanLagMs?: number }} prediction
 * @property {{ bytesPerJob: number, cpuMsPerJob: number }} [published] the figures of 2018, if the jobs are those
 */

/** @param {readonly JobsTrial[]} trials of one delivery method @param {Measured} measured @param {Rule} rule @returns {OwnRow} */
export function figuresOf(trials, measured, rule) {
  const trial = mergeTrials(trials);
  const { delivery, intervalMs, protocol, notified, failures } = trial;
  const { plan, environment } = measured;
  const jobCount = trials.length * plan.users * plan.jobs;
  const others = failures.filter(({ outcome }) => outcome !== 'timeout');
  const pollCount = sumOf(notified.pollCount, Number);
  const predictions = trials.map((one) => predictTrial(one, measured));
  return {
    delivery,
    intervalMs,
    protocol,
    newsBytes: plan.newsBytes,
    jobCount,
    notifiedCount: notified.job.length,
    lateCount: failures.length - others.length,
    failureCount: others.length,
    failureReasons: byFrequency(others.map(({ message }) => message)),
    openCount: jobCount - notified.job.length - failures.length,
    lag: summarizeLags(trials, measured, rule),
    // A tenth of a millisecond is meaningless if lags may be off by 10 ms.
    lagDecimals: lagErrorOf(roundTripOf(measured) ?? 0, environment?.stepMs) < 10 ? 1 : 0,
    periodMs: delivery === 'poll' ? periodOf(notified) : undefined,
    pollsPerJob: pollCount === 0 ? undefined : pollCount / notified.job.length,
    requestsPerJob: requestsPerJobOf(trial, jobCount),
    ...bytesOf(trial, jobCount),
    ...cpuOf(trial, measured, jobCount),
    prediction: {
      pollsPerJob: mean(predictions.flatMap(({ pollsPerJob }) => pollsPerJob ?? [])),
      meanLagMs: mean(predictions.flatMap(({ meanLagMs }) => meanLagMs ?? [])),
    },
    published: publishedOf(trial, plan),
  };
}

/** @param {readonly JobsTrial[]} trials @returns {JobsTrial} as if they were one; its times are those of each trial */
function mergeTrials(trials) {
  const [first] = trials;
  const traffics = trials.flatMap(({ traffic }) => traffic ?? []);
  const requestCounts = trials.map(({ requestCount }) => requestCount);
  const notified = trials.map((trial) => trial.notified);
  return {
    ...first,
    protocol: protocolsOf(trials).join(', ') || undefined,
    notified: addColumns(notified, (lists) => lists.flat()),
    failures: trials.flatMap(({ failures }) => failures),
    requestCount: requestCounts.includes(undefined) ? undefined : sumOf(requestCounts, (count) => count),
    traffic: traffics.length === trials.length ? addColumns(traffics, (counts) => sumOf(counts, Number)) : undefined,
    trafficFault: trials.find(({ trafficFault }) => trafficFault)?.trafficFault,
  };
}

/** @template {object} T @param {readonly T[]} records @param {(values: any[]) => any} add @returns {T} */
function addColumns(records, add) {
  const names = /** @type {(keyof T)[]} */ (Object.keys(records[0]));
  return /** @type {T} */ (Object.fromEntries(names.map((name) => [name, add(records.map((record) => record[name]))])));
}

/** @param {readonly JobsTrial[]} trials @param {Measured} measured @param {Rule} rule @returns {Lag} */
function summarizeLags(trials, measured, { confidence }) {
  const byTrial = trials.map(({ notified }) => lagsIn(notified, measured));
  const lags = byTrial.flat().sort((a, b) => a - b);
  const means = byTrial.map(mean).filter((ms) => ms !== undefined);
  return {
    p50Ms: percentile(lags, 50),
    p90Ms: percentile(lags, 90),
    p95Ms: percentile(lags, 95),
    maxMs: lags.at(-1),
    meanMs: mean(means),
    interval: atLeast(
      Math.min(0, ...lags),
      meanInterval(trials.length === 1 && trials[0].delivery === 'poll' ? lags : means, confidence),
    ),
  };
}

/**
 * Ends an interval where no delay can be: below 0, or below the least that was measured, as the clocks are not exact.
 * @param {number} leastMs @param {Interval} [interval]
 */
const atLeast = (leastMs, interval) => interval && { ...interval, low: Math.max(leastMs, interval.low) };
