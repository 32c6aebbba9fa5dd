/**
 * @import { Problem } from '../../contract.js'
 * @import { SeenTrial } from './list-trials.js'
 */

/** What rounding to microseconds loses, twice. */
const ROUNDING_MS = 2e-3;

/**
 * Trials are made one after the other.
 *
 * @param {readonly SeenTrial[]} trials
 * @returns {Problem[]}
 */
export function findOverlaps(trials) {
  return trials.flatMap(({ path, startedAtMs }, i) => {
    const endedAtMs = trials[i - 1]?.endedAtMs;
    if (startedAtMs === undefined || endedAtMs === undefined || startedAtMs >= endedAtMs - ROUNDING_MS) return [];
    const message = `expected ${format(endedAtMs)} ms or later, when the trial before it had ended, got ${format(startedAtMs)} ms`;
    return { path: `${path}.startedAtMs`, message };
  });
}

/** @param {number} ms */
const format = (ms) => String(Number(ms.toFixed(3)));
