/** Computes the times and rates of a test of 2012 with the clock of that time. */
import { elapsedOf } from './measure.js';

/**
 * @import { ClassicRun } from './measure.js'
 * @import { ClassicRecord, ClassicResult, ClassicTrial } from './schema.js'
 * @typedef {{ trial: ClassicRun['trial'], elapsedMs?: number }} Timed
 */

/** @param {any} part as open-run.js opens a document @returns {ClassicResult} */
export function summarize({ plan: { transport }, environment, coldSetUpMs, trials }) {
  return { transport, environment, coldSetUpMs, runs: trials.map(toRecord) };
}

/** @param {ClassicTrial} opened @returns {ClassicRecord} */
function toRecord({ startedAt, wasHidden, ending, clickedAtMs, ...trial }) {
  const run = { startedAt, wasHidden, clickedAtMs, trial };
  return { ...run, ...(ending && { ending }), elapsedMs: elapsedOf(run) };
}

/**
 * Returns the rate from the click to the last answer.
 * @param {Timed} [run] @returns {number | undefined} absent if it did not finish
 */
export function rateOf(run) {
  return run?.elapsedMs === undefined ? undefined : run.trial.iterations / (run.elapsedMs / 1000);
}
