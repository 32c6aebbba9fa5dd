/**
 * What the samples of a trial say, or of all trials of one transport. Everything here is recomputed from the samples whenever it is shown.
 */
import { jitter } from './jitter.js';
import { mean } from './mean.js';
import { median, percentile, sort } from './quantile.js';
import { sumOf } from './sum.js';

/** Below this many clock steps a time says little: a single round trip's, or that of a whole trial. */
export const STEPS_PER_TRUSTED_TIME = 20;

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
 * @typedef {object} Samples one entry in each list per ok message, in the order they were made; clock readings
 * @property {readonly number[]} sentAtMs
 * @property {readonly number[]} roundTripMs
 *
 * @typedef {{ samples: Samples, failures: readonly unknown[] }} Measured
 */

/** @param {Measured} trial @param {{ stepMs?: number }} [clock] the clock's measured step @returns {Summary} */
export function summarize(trial, clock) {
  return summarizeTrials([trial], clock);
}

/**
 * Of several trials of one transport: percentiles are those of all samples together; rates, means and jitter are taken
 * within each trial, and never across the gap between two.
 *
 * @param {readonly Measured[]} trials
 * @param {{ stepMs?: number }} [clock] the clock's measured step
 * @returns {Summary}
 */
export function summarizeTrials(trials, { stepMs = 0 } = {}) {
  const roundTripMs = trials.flatMap(({ samples }) => samples.roundTripMs);
  const sorted = sort(roundTripMs);
  const failureCount = sumOf(trials, ({ failures }) => failures.length);
  const useTotal = failureCount === 0 && !trials.every(({ samples }) => isFineEnough(samples, stepMs));

  return {
    sampleCount: sorted.length,
    failureCount,
    messagesPerSecond: steadyRate(trials),
    meanMs: useTotal ? sumOf(trials, ({ samples }) => totalMs(samples)) / sorted.length : mean(roundTripMs),
    meanFrom: sorted.length === 0 ? undefined : useTotal ? 'total' : 'samples',
    p50Ms: percentile(sorted, 50),
    p90Ms: percentile(sorted, 90),
    p95Ms: percentile(sorted, 95),
    p99Ms: percentile(sorted, 99),
    jitterMs: meanJitter(trials),
    minMs: sorted[0],
    maxMs: sorted.at(-1),
  };
}

/**
 * Is the clock fine enough to speak of single round trips?
 *
 * @param {Samples} samples
 * @param {number} stepMs of the clock
 * @returns {boolean}
 */
export function isFineEnough({ roundTripMs }, stepMs) {
  const middleMs = median(roundTripMs);
  return middleMs === undefined || middleMs >= STEPS_PER_TRUSTED_TIME * stepMs;
}

/**
 * A closed loop's whole time, from the first message to the last answer.
 *
 * @param {Samples} samples
 * @returns {number} 0 for no samples
 */
export function totalMs({ sentAtMs, roundTripMs }) {
  const last = roundTripMs.length - 1;
  return last < 0 ? 0 : sentAtMs[last] + roundTripMs[last] - sentAtMs[0];
}

/**
 * The rate between the first answer and the last: without set-up, and without the first message that may carry it.
 * @param {readonly Measured[]} trials
 * @returns {number | undefined} messages per second; absent below two samples a trial, or where the clock did not move
 */
function steadyRate(trials) {
  const steady = trials.map(({ samples }) => samples).filter(({ roundTripMs }) => roundTripMs.length > 1);
  const elapsedMs = sumOf(steady, (samples) => totalMs(samples) - samples.roundTripMs[0]);
  const messageCount = sumOf(steady, ({ roundTripMs }) => roundTripMs.length - 1);
  return elapsedMs > 0 ? (messageCount / elapsedMs) * 1000 : undefined;
}

/** @param {readonly Measured[]} trials */
function meanJitter(trials) {
  const lists = trials.map(({ samples }) => samples.roundTripMs).filter(({ length }) => length > 1);
  const differenceCount = sumOf(lists, ({ length }) => length - 1);
  if (differenceCount === 0) return undefined;
  return sumOf(lists, (list) => Number(jitter(list)) * (list.length - 1)) / differenceCount;
}
