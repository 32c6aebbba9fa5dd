/** Defines the schema of a saved shootout. */
import { areCounted, isAccountedFor } from '../../experiment/document-fields.js';
import { LABELS } from '../../experiment/labels.js';

/**
 * @import { DocumentFields, Valibot } from '../../experiment/document-fields.js'
 * @import { RunTrial } from '../../net/echo/trial.js'
 * @import { Plan } from './plan.js'
 */

/** @param {Valibot} v @param {DocumentFields} fields */
export const trialSchema = (v, { count, ms, echo }) => v.strictObject({ block: count, startedAtMs: ms, ...echo });

/** Defines the cost of new connections. @param {Valibot} v @param {DocumentFields} fields */
export function moreSchema(v, { ms }) {
  const times = v.pipe(v.array(ms), v.maxLength(100));
  return {
    coldSetUpMs: v.strictObject(Object.fromEntries(Object.keys(LABELS).map((name) => [name, v.optional(ms)]))),
    preflight: v.optional(v.strictObject({ firstMs: times, secondMs: times })),
  };
}

/** @param {RunTrial} trial @param {{ plan: Plan, isCut: boolean }} run */
export function faultOf(trial, { plan, isCut }) {
  const isWhole = isAccountedFor(trial, plan.iterations, isCut);
  if (isWhole && areCounted(trial, plan)) return undefined;
  return 'expected each message once, as a sample or a failure';
}
