/**
 * How documents tell that a run ended before its plan did, and how that is told of them.
 */

/** @type {Record<import('../run.js').Ending['kind'], string>} */
const HEADLINES = { cancelled: 'Cancelled', invalid: 'This run is not valid' };

/**
 * @param {import('../run.js').Ending} ending
 * @returns {string} our words
 */
export function headlineOfEnding({ kind }) {
  return HEADLINES[kind];
}

/**
 * @param {import('../run.js').Ending} ending
 * @returns {string} what the visitor's page said, as such
 */
export function describeEnding({ reason }) {
  return `In the words of the visitor’s page: “${reason}”`;
}

/**
 * What makes a run invalid must be said.
 *
 * @param {{ ending?: import('../run.js').Ending }} document
 * @param {import('../run.js').Ending | undefined} fault that its trials show
 * @returns {import('./index.js').Problem | undefined}
 */
export function problemOfFault({ ending }, fault) {
  if (ending || !fault) return undefined;
  return { path: 'ending', message: `expected one, as this run is not valid: ${fault.reason}` };
}
