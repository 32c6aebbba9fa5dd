/** What the samples of a trial say, or of all trials of one transport; recomputed whenever it is shown. */
import { jitter, mean, median, percentile, sort, sumOf } from './values.js';

/** Below this many clock steps a time says little: a single round trip's, or that of a whole trial. */
export const STEPS_PER_TRUSTED_TIME = 20;

/**
 * @typedef {object} Samples one entry in each list per ok message, in the order they were made; clock readings
 * @property {readonly number[]} sentAtMs
 * @property {readonly number[]} roundTripMs
 * @typedef {{ samples: Samples, failures: readonly unknown[] }} Measured
 * @typedef {ReturnType<typeof summarizeTrials>} Summary
 */

/** @param {Measured} trial @param {{ stepMs?: number }} [clock] the clock's measured step @returns {Summary} */
export const summarize = (trial, clock) => summarizeTrials([trial], clock);

/**
 * Of several trials of one transport: percentiles are those of all samples together; rates, means and jitter are taken
 * within each trial, and never across the gap between two. Every figure but the counts is absent where there are too few
 * samples for it. Where the round trips are too short for the clock, the mean is made of the whole time (`meanFrom`).
 * @param {readonly Measured[]} trials @param {{ stepMs?: number }} [clock] the clock's measured step
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
    minMs: sorted.at(0),
    maxMs: sorted.at(-1),
  };
}

/** Is the clock fine enough to speak of single round trips? @param {Samples} samples @param {number} stepMs its step */
export function isFineEnough({ roundTripMs }, stepMs) {
  const middleMs = median(roundTripMs);
  return middleMs === undefined || middleMs >= STEPS_PER_TRUSTED_TIME * stepMs;
}

/** A closed loop's time, from the first message to the last answer. @param {Samples} samples @returns {number} 0 for none */
export function totalMs({ sentAtMs, roundTripMs }) {
  const last = roundTripMs.length - 1;
  return last < 0 ? 0 : sentAtMs[last] + roundTripMs[last] - sentAtMs[0];
}

/**
 * The rate between the first answer and the last, (N - 1) / (last answer - first answer): without set-up, and without the
 * first message that may carry it.
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
