/** Defines the schema of a saved run over sizes. */
import { schemaOfFields } from '../../experiment/plan/fields.js';
import { newTransfers, transfers } from '../../net/transfer/index.js';
import { DIRECTIONS, FIELDS, PUBLISHED, PUBLISHED_FIELDS } from './plan.js';

/**
 * @import { ExperimentDocument } from '../../experiment/contract.js'
 * @import { OutputOf, Valibot } from '../../base/valibot.js'
 * @import { DocumentFields } from '../../experiment/documents/document-fields.js'
 * @import { PayloadPlan } from './plan.js'
 * @typedef {OutputOf<typeof trialSchema>} PayloadTrial one message
 * @typedef {NonNullable<PayloadTrial['failure']>} PayloadFailure
 * @typedef {ExperimentDocument<PayloadPlan, PayloadTrial>} PayloadDocument
 */

/** The preset distinguishes the two kinds of  @param {Valibot} v */
export function planSchema(v) {
  const sweep = v.strictObject({ preset: v.optional(v.never()), ...schemaOfFields(v, FIELDS) });
  const published = v.strictObject({
    preset: v.literal(PUBLISHED),
    ...schemaOfFields(v, PUBLISHED_FIELDS),
  });
  return v.variant('preset', [published, sweep]);
}

/** @param {Valibot} v @param {DocumentFields} fields */
export function trialSchema(v, { text, ms, count, failure: { outcome, message } }) {
  return v.pipe(
    v.strictObject({
      block: count,
      size: count,
      direction: v.picklist(DIRECTIONS),
      transport: v.picklist(Object.keys({ ...transfers, ...newTransfers })),
      protocol: v.optional(text),
      // The connection was opened for this trial, or for the warm-up before it.
      setUpMs: v.optional(ms),
      // The message was sent, or should have been, at this time.
      startedAtMs: ms,
      durationMs: v.optional(ms),
      // The failure is that of the message, or of the warm-up or the connection before it.
      failure: v.optional(v.strictObject({ outcome, message })),
    }),
    v.check(
      ({ durationMs, failure: why }) => (durationMs === undefined) !== (why === undefined),
      'expected a duration or a failure, and not both',
    ),
  );
}
