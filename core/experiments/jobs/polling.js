/** Predicts polling in closed form: how often a job is polled, and how late it is found. */
import { mean } from '../../base/statistics.js';

/** @typedef {{ pollsPerJob?: number, meanLagMs?: number }} PredictedPolling */

/**
 * Returns the number of polls of a job: 3 if it takes 1200 ms and is polled every 500 ms.
 * @param {{ durationMs: number, periodMs: number }} job
 */
export const pollCountOf = ({ durationMs, periodMs }) => Math.max(1, Math.ceil(durationMs / periodMs));

/**
 * Returns the time from done to notified.
 * @param {{ durationMs: number, periodMs: number, roundTripMs: number }} job in ms
 */
export function pollLagOf({ durationMs, periodMs, roundTripMs }) {
  return pollCountOf({ durationMs, periodMs }) * periodMs - durationMs + roundTripMs / 2;
}

/**
 * Predicts polling: polls are a period apart, interval and round trip, and a job of duration D is found by the first at
 * or after D.
 * @param {readonly number[]} durationsMs @param {number} periodMs @param {number} [roundTripMs]
 * @returns {PredictedPolling}
 */
export function predictPolling(durationsMs, periodMs, roundTripMs) {
  const meanOf = (/** @type {(durationMs: number) => number} */ figureOf) => mean(durationsMs.map(figureOf));
  return {
    pollsPerJob: meanOf((durationMs) => pollCountOf({ durationMs, periodMs })),
    meanLagMs:
      roundTripMs === undefined ? undefined : meanOf((durationMs) => pollLagOf({ durationMs, periodMs, roundTripMs })),
  };
}
