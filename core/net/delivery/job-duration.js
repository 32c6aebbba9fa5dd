/**
 * How long a job takes: drawn by its seed, so that server and client know the same, and every way of being told gets jobs
 * of the same durations.
 */
import { createRandom } from '../../base/random.js';

/** What a range of durations may be, and is where nothing else is asked for: that of 2018. */
export const DURATION_MS = Object.freeze({ least: 0, most: 600_000, usualLeast: 0, usualMost: 10_000 });

/**
 * @param {{ seed: number, leastMs: number, mostMs: number }} job `leastMs` at most `mostMs`
 * @returns {number} whole milliseconds, each of the range about equally likely
 * @example drawDurationMs({ seed: 1, leastMs: 5, mostMs: 5 }) // 5
 */
export function drawDurationMs({ seed, leastMs, mostMs }) {
  return Math.round(leastMs + (mostMs - leastMs) * createRandom(seed)());
}
