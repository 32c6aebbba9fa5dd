/**
 * How documents tell that a run ended before its plan did, and how that is told of them.
 */

import { findFault } from '../faults.js';

/**
 * @import { Problem } from '../contract.js'
 * @import { Ending } from '../run.js'
 */

/** @type {Record<Ending['kind'], string>} */
const HEADLINES = { cancelled: 'Cancelled', invalid: 'This run is not valid' };

/**
 * @param {Ending} ending
 * @returns {string} our words
 */
export function headlineOfEnding({ kind }) {
  return HEADLINES[kind];
}

/**
 * @param {Ending} ending
 * @returns {string} what the visitor's page said, as such
 */
export function quoteEnding({ reason }) {
  return `In the words of the visitor’s page: “${reason}”`;
}

/**
 * What makes a run invalid must be said.
 *
 * @template P, T
 * @param {Parameters<typeof findFault<P, T>>[0]} experiment
 * @param {Parameters<typeof findFault<P, T>>[1] & { ending?: Ending }} run
 * @returns {Problem | undefined}
 */
export function problemOfFault(experiment, run) {
  const fault = run.ending ? undefined : findFault(experiment, run);
  return fault && { path: 'ending', message: `expected one, as this run is not valid: ${fault.reason}` };
}
