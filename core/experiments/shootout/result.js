/**
 * A run to export: all that was measured, and nothing that can be computed from it.
 *
 * docs/results-format.md describes it.
 *
 * @typedef {object} Result
 * @property {string} schema sockshootout/run/1
 * @property {string} startedAt ISO 8601, by the visitor's clock
 * @property {Plan} plan
 * @property {Environment} environment
 * @property {Status} [statusBefore] absent where the server could not be asked
 * @property {Status} [statusAfter]
 * @property {RunTrial[]} trials in the order in which they were made
 * @property {Record<string, number>} coldSetUpMs by transport
 * @property {Preflight} [preflight] only where the page came from another server
 * @property {Ending} [ending] absent where the plan was carried out
 */

/**
 * @import { Environment } from '../../experiment/environment.js'
 * @import { Ending } from '../../experiment/run.js'
 * @import { RunTrial } from '../../net/echo/trial.js'
 * @import { Preflight } from '../../net/preflight.js'
 * @import { Status } from '../../net/status.js'
 * @import { Plan } from './plan.js'
 */

/**
 * @param {Result} result
 * @returns {string} JSON
 */
export function formatResult(result) {
  return `${JSON.stringify(result)}\n`;
}
