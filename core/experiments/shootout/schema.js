/** Defines the schema of a saved shootout. */
import { areCounted, isAccountedFor } from '../../experiment/documents/document-fields.js';
import { LABELS } from '../../experiment/answer/labels.js';

/**
 * @import { Described } from '../../experiment/contract.js'
 * @import { Valibot } from '../../base/valibot.js'
 * @import { DocumentFields } from '../../experiment/documents/document-fields.js'
 * @import { RunTrial } from '../../net/echo/trial.js'
 * @import { Plan } from './plan.js'
 */

/** @param {Valibot} v @param {DocumentFields} fields */
export const trialSchema = (v, { count, ms, echo }) => v.strictObject({ block: count, startedAtMs: ms, ...echo });

/** Adds the cost of new connections. @type {NonNullable<Described['schemaOf']>} */
export function schemaOf(v, { ms }, ofRun) {
  const times = v.pipe(v.array(ms), v.maxLength(100));
  return ofRun({
    coldSetUpMs: v.strictObject(Object.fromEntries(Object.keys(LABELS).map((name) => [name, v.optional(ms)]))),
    preflight: v.optional(v.strictObject({ firstMs: times, secondMs: times })),
  });
}

/** @param {RunTrial} trial @param {{ plan: Plan, isCut: boolean }} run */
export function faultOf(trial, { plan, isCut }) {
  const isWhole = isAccountedFor(trial, plan.iterations, isCut);
  if (isWhole && areCounted(trial, plan)) return undefined;
  return 'expected each message once, as a sample or a failure';
}
