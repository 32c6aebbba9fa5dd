/**
 * What a trial's samples say. Everything here is recomputed from the samples whenever it is shown.
 */
import { jitter } from './statistics/jitter.js';
import { mean } from './statistics/mean.js';
import { percentile } from './statistics/quantile.js';

/** Below this many clock steps a single round trip says little, but their total still does. */
const STEPS_PER_TRUSTED_ROUND_TRIP = 20;

/**
 * @typedef {object} Summary every figure but the counts is absent where there are too few samples for it
 * @property {number} sampleCount
 * @property {number} failureCount
 * @property {number} [messagesPerSecond] steady state: (N - 1) / (last answer - first answer)
 * @property {number} [meanMs]
 * @property {'samples' | 'total'} [meanFrom] of what the mean was made: the round trips, or, where they are too short
 *   for the clock, the time from the first message to the last answer
 * @property {number} [p50Ms]
 * @property {number} [p90Ms]
 * @property {number} [p95Ms]
 * @property {number} [p99Ms]
 * @property {number} [jitterMs]
 * @property {number} [minMs]
 * @property {number} [maxMs]
 */

/**
 * @param {Pick<import('./trial.js').Trial, 'samples' | 'failures'>} trial
 * @param {{ stepMs?: number }} [clock] the clock's measured step
 * @returns {Summary}
 */
export function summarize({ samples, failures }, { stepMs = 0 } = {}) {
  const { roundTripMs } = samples;
  const sorted = Float64Array.from(roundTripMs).sort();
  const values = Array.from(sorted);
  const p50Ms = percentile(values, 50);
  const isFine = (p50Ms ?? values[0]) >= STEPS_PER_TRUSTED_ROUND_TRIP * stepMs;
  const useTotal = !isFine && failures.length === 0;

  return {
    sampleCount: values.length,
    failureCount: failures.length,
    messagesPerSecond: steadyRate(samples),
    meanMs: useTotal ? meanOfTotal(samples) : mean(roundTripMs),
    meanFrom: values.length === 0 ? undefined : useTotal ? 'total' : 'samples',
    p50Ms,
    p90Ms: percentile(values, 90),
    p95Ms: percentile(values, 95),
    p99Ms: percentile(values, 99),
    jitterMs: jitter(roundTripMs),
    minMs: values[0],
    maxMs: values.at(-1),
  };
}

/**
 * The rate between the first answer and the last: without set-up, and without the first message that may carry it.
 *
 * @param {import('./trial.js').Samples} samples
 * @returns {number | undefined} messages per second; absent below two samples, or where the clock did not move
 */
function steadyRate({ sentAtMs, roundTripMs }) {
  const last = roundTripMs.length - 1;
  if (last < 1) return undefined;
  const elapsedMs = sentAtMs[last] + roundTripMs[last] - (sentAtMs[0] + roundTripMs[0]);
  return elapsedMs > 0 ? (last / elapsedMs) * 1000 : undefined;
}

/** @param {import('./trial.js').Samples} samples */
function meanOfTotal({ sentAtMs, roundTripMs }) {
  const last = roundTripMs.length - 1;
  if (last < 0) return undefined;
  return (sentAtMs[last] + roundTripMs[last] - sentAtMs[0]) / roundTripMs.length;
}
