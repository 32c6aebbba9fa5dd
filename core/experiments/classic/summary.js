/** What follows from the samples of a test of 2012: its times and rates by the clock of then. */
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

/** From the click to the last answer. @param {Timed} [run] @returns {number | undefined} absent where it did not finish */
export function rateOf(run) {
  return run?.elapsedMs === undefined ? undefined : run.trial.iterations / (run.elapsedMs / 1000);
}
