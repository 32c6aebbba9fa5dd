/** How documents say that a run ended before its plan did, and how lists say it. */

/** @import { Ending } from '../run.js' */

/** @type {Record<Ending['kind'], string>} */
const HEADLINES = { cancelled: 'Cancelled', invalid: 'This run is not valid' };

/** @param {Ending} ending @returns {string} our words */
export function headlineOfEnding({ kind }) {
  return HEADLINES[kind];
}

/** @param {Ending} ending @returns {string} what the visitor's page said, as such */
export function quoteEnding({ reason }) {
  return `In the words of the visitor’s page: “${reason}”`;
}
