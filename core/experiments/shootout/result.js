/**
 * A run to export: all that was measured, and nothing that can be computed from it.
 *
 * docs/results-format.md describes it.
 *
 * @typedef {ExperimentDocument<Plan, RunTrial> & Costs} Result
 *
 * @typedef {object} Costs
 * @property {Record<string, number>} coldSetUpMs by transport
 * @property {Preflight} [preflight] only where the page came from another server
 */

/**
 * @import { ExperimentDocument } from '../../experiment/measure-document.js'
 * @import { RunTrial } from '../../net/echo/trial.js'
 * @import { Preflight } from '../../net/probe.js'
 * @import { Plan } from './plan.js'
 */

/** @param {Result} result @returns {string} JSON */
export function formatResult(result) {
  return `${JSON.stringify(result)}\n`;
}
