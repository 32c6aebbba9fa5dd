/** Defines the schema of a saved run with messages in flight. */
import { messagesAt } from './plan.js';

/**
 * @import { ExperimentDocument } from '../../experiment/contract.js'
 * @import { OutputOf, Valibot } from '../../base/valibot.js'
 * @import { DocumentFields } from '../../experiment/documents/document-fields.js'
 * @import { DepthPlan } from './plan.js'
 * @typedef {OutputOf<typeof trialSchema>} DepthTrial
 * @typedef {ExperimentDocument<DepthPlan, DepthTrial>} DepthDocument
 */

/** @param {Valibot} v @param {DocumentFields} fields */
export function trialSchema(v, { text, ms, count, transport, failures }) {
  return v.strictObject({
    block: count,
    transport,
    protocol: v.optional(text),
    depth: count,
    // Both lists have a value for each ok message in the order of the answers; this one counts since the first was
    // sent.
    endedAtMs: v.array(ms),
    roundTripMs: v.array(ms),
    iterations: count,
    failures,
  });
}

/** @param {DepthTrial} trial @param {{ isCut: boolean }} run */
export function faultOf({ depth, iterations, endedAtMs, roundTripMs, failures }, { isCut }) {
  const count = endedAtMs.length;
  const isWhole = count === iterations || isCut || failures.length > 0;
  if (iterations !== messagesAt(depth) || count !== roundTripMs.length || count > iterations || !isWhole) {
    return 'expected an answer to each message of its depth, or a failure';
  }
  const isRunning = endedAtMs.every((endedMs, i) => i === 0 || endedMs >= endedAtMs[i - 1]);
  return isRunning ? undefined : 'expected answers in order';
}
