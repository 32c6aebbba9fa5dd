/** Computes the figures that only a run's own page has of a delivery method: the spread of its latency, its polls, and its CPU time. */
import { mean, meanInterval, percentile, sumOf } from '../../base/statistics.js';
import { predictPolling } from './polling.js';
import { publishedOf } from './published.js';
import { lagErrorOf, lagsIn, lateReadsOf, periodOf, roundTripOf, trafficFaultOf } from './trial.js';

/**
 * @import { Interval } from '../../base/statistics.js'
 * @import { Rule } from '../../experiment/answer/compare.js'
 * @import { PredictedPolling } from './polling.js'
 * @import { JobsTrial } from './schema.js'
 * @import { Measured } from './summary.js'
 * @typedef {object} Lag of notifications, ms; each figure is absent for too few jobs
 * @property {number} [p50Ms]
 * @property {number} [p90Ms]
 * @property {number} [p95Ms]
 * @property {number} [maxMs]
 * @property {number} [meanMs]
 * @property {Interval} [interval] over the blocks; a single trial has one only by polling, over the jobs
 * @typedef {object} PageFigures of one delivery method, all its trials together
 * @property {Lag} lag
 * @property {number} lagDecimals
 * @property {number} [periodMs] of polls
 * @property {number} [pollsPerJob]
 * @property {number} [cpuMsPerJob]
 * @property {string} [cpuFault] why it is absent
 * @property {PredictedPolling} prediction
 * @property {{ bytesPerJob: number, cpuMsPerJob: number }} [published] the figures of 2018, if the jobs are those
 */

/** The CPU use of the idle server is measured once, for a second or two; it may be off by this part. */
const UNSTEADY_RATIO = 0.5;
export const TOO_SMALL = 'too small to tell';

/**
 * @param {{ trials: readonly JobsTrial[], merged: JobsTrial, jobCount: number }} method its trials, and the same as if they were one
 * @param {Measured} measured @param {Rule} rule @returns {PageFigures}
 */
export function figuresOf({ trials, merged, jobCount }, measured, rule) {
  const { delivery, notified } = merged;
  const pollCount = sumOf(notified.pollCount, Number);
  const predictions = trials.map((one) => predictTrial(one, measured));
  return {
    lag: summarizeLags(trials, measured, rule),
    // A tenth of a millisecond is meaningless if lags may be off by 10 ms.
    lagDecimals: lagErrorOf(roundTripOf(measured) ?? 0, measured.environment?.stepMs) < 10 ? 1 : 0,
    periodMs: delivery === 'poll' ? periodOf(notified) : undefined,
    pollsPerJob: pollCount === 0 ? undefined : pollCount / notified.job.length,
    ...cpuOf(merged, measured, jobCount),
    prediction: {
      pollsPerJob: mean(predictions.flatMap(({ pollsPerJob }) => pollsPerJob ?? [])),
      meanLagMs: mean(predictions.flatMap(({ meanLagMs }) => meanLagMs ?? [])),
    },
    published: publishedOf(merged, measured.plan),
  };
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

/**
 * Predicts polling for the notified jobs; empty for other methods: their minimum is half a round trip, and there is no
 * formula.
 * @param {JobsTrial} trial @param {Measured} measured @returns {PredictedPolling}
 */
function predictTrial({ delivery, notified }, measured) {
  const periodMs = periodOf(notified);
  if (delivery !== 'poll' || !periodMs) return {};
  const roundTripMs = roundTripOf(measured);
  // If the creation answer was read late, only the rest of the duration counts.
  const lateReads = roundTripMs === undefined ? [] : lateReadsOf(notified, roundTripMs, measured.environment?.stepMs);
  const leftMs = notified.durationMs.map((ms, i) => ms - (lateReads[i] ?? 0));
  return predictPolling(leftMs, periodMs, roundTripMs);
}

/**
 * Computes the CPU time of whole processes, less their idle use and that of the readings. Idle use varies: a difference
 * that is not above half of it may be chance.
 * @param {JobsTrial} trial @param {Measured} measured @param {number} jobCount
 * @returns {{ cpuMsPerJob?: number, cpuFault?: string }}
 */
function cpuOf(trial, { idle }, jobCount) {
  const { traffic } = trial;
  const fault = trafficFaultOf(trial);
  if (fault || !traffic) return { cpuFault: `not measured: ${fault}` };
  if (!idle || idle.elapsedMs === 0) return { cpuFault: 'not measured: the idle server did not report its traffic' };
  const otherCount = Math.abs(traffic.otherCount) || Math.abs(idle.otherCount);
  if (otherCount > 0)
    return { cpuFault: `not measured: ${otherCount} other ${otherCount === 1 ? 'request' : 'requests'}` };
  const ownMs = ((idle.cpuMs - idle.readingCpuMs) / idle.elapsedMs) * traffic.elapsedMs;
  const cpuMs = traffic.cpuMs - ownMs - traffic.readingCount * idle.readingCpuMs;
  return cpuMs <= 0 || cpuMs <= ownMs * UNSTEADY_RATIO ? { cpuFault: TOO_SMALL } : { cpuMsPerJob: cpuMs / jobCount };
}
