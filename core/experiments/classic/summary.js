/** Computes the times and rates of a test of 2012 with the clock of that time. */
import { elapsedOf } from './measure.js';

/**
 * @import { ClassicRun } from './measure.js'
 * @import { ClassicDocument, ClassicResult } from './schema.js'
 * @typedef {Pick<ClassicRun, 'trial' | 'elapsedMs'>} Timed
 */

/** @param {ClassicDocument} document @returns {ClassicResult} */
export function summarize({ schema: _, runs, ...others }) {
  return { ...others, runs: runs.map((run) => ({ ...run, elapsedMs: elapsedOf(run) })) };
}

/**
 * Returns the rate from the click to the last answer.
 * @param {Timed} [run] @returns {number | undefined} absent if it did not finish
 */
export function rateOf(run) {
  return run?.elapsedMs === undefined ? undefined : run.trial.iterations / (run.elapsedMs / 1000);
}
