/**
 * A run to take along: all that was measured, and nothing that can be computed from it.
 *
 * docs/results-format.md describes it.
 *
 * @typedef {object} Result
 * @property {string} schema sockshootout/run/1
 * @property {string} startedAt ISO 8601, by the visitor's clock
 * @property {import('./plan.js').Plan} plan
 * @property {import('../../experiment/environment.js').Environment} environment
 * @property {import('../../net/status.js').Status} [statusBefore] absent where the server could not be asked
 * @property {import('../../net/status.js').Status} [statusAfter]
 * @property {import('../../net/echo/trial.js').RunTrial[]} trials in the order in which they were made
 * @property {Record<string, number>} coldSetUpMs by transport
 * @property {import('../../net/preflight.js').Preflight} [preflight] only where the page came from another server
 * @property {import('../../experiment/run.js').Ending} [ending] absent where the plan was carried out
 */

/**
 * @param {Result} result
 * @returns {string} JSON
 */
export function formatResult(result) {
  return `${JSON.stringify(result)}\n`;
}
