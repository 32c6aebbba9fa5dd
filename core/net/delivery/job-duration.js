/**
 * How long a job takes: drawn by its seed, so that server and client know the same, and every delivery method gets jobs of
 * the same durations.
 */
import { createRandom } from '../../base/random.js';

/** What a range of durations may be, and its default, that of 2018. */
export const DURATION_MS = Object.freeze({ min: 0, max: 600_000, defaultMin: 0, defaultMax: 10_000 });

/**
 * @param {{ seed: number, leastMs: number, mostMs: number }} job `leastMs` at most `mostMs`
 * @returns {number} whole milliseconds, each of the range about equally likely
 * @example drawDurationMs({ seed: 1, leastMs: 5, mostMs: 5 }) // 5
 */
export function drawDurationMs({ seed, leastMs, mostMs }) {
  return Math.round(leastMs + (mostMs - leastMs) * createRandom(seed)());
}
