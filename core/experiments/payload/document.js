/** The document of a run over sizes. */
import { schemaOfFields } from '../../experiment/fields.js';
import { TRANSFER_LABELS } from '../../net/transfer/labels.js';
import { DIRECTIONS, FIELDS, formatSize, PUBLISHED, PUBLISHED_FIELDS } from './plan.js';

/**
 * @import { InferOutput } from 'valibot'
 * @import { Fields, Valibot } from '../../experiment/documents/fields.js'
 * @import { ExperimentDocument } from '../../experiment/measure-document.js'
 * @import { PayloadPlan } from './plan.js'
 */

/**
 * @typedef {InferOutput<ReturnType<typeof trialSchema>>} PayloadTrial one message
 * @typedef {NonNullable<PayloadTrial['failure']>} PayloadFailure
 * @typedef {ExperimentDocument<PayloadPlan, PayloadTrial>} PayloadDocument
 */

/** The preset distinguishes the two kinds of plans. @param {Valibot} v */
export function planSchema(v) {
  const sweep = v.strictObject({ preset: v.optional(v.never()), ...schemaOfFields(v, FIELDS) });
  const published = v.strictObject({ preset: v.literal(PUBLISHED), ...schemaOfFields(v, PUBLISHED_FIELDS) });
  return v.variant('preset', [published, sweep]);
}

/** @param {Valibot} v @param {Fields} fields */
export function trialSchema(v, { text, ms, count, failure: { outcome, message } }) {
  return v.pipe(
    v.strictObject({
      block: count,
      size: count,
      direction: v.picklist(DIRECTIONS),
      transport: v.picklist(Object.keys(TRANSFER_LABELS)),
      protocol: v.optional(text),
      // Of the connection that was opened for this trial, or for the warm-up before it.
      setUpMs: v.optional(ms),
      // When the message was sent, or should have been.
      startedAtMs: ms,
      durationMs: v.optional(ms),
      // Of the message, or of the warm-up or the connection before it.
      failure: v.optional(v.strictObject({ outcome, message })),
    }),
    v.check(
      ({ durationMs, failure: why }) => (durationMs === undefined) !== (why === undefined),
      'expected a duration or a failure, and not both',
    ),
  );
}

/** @param {PayloadTrial} trial @param {{ isCut: boolean }} run @returns {string | undefined} what was expected */
export function faultOf({ failure }, { isCut }) {
  if (failure?.outcome !== 'aborted' || isCut) return undefined;
  return 'expected only the last message of a run that ended early to be aborted';
}

/** @param {PayloadPlan} plan */
export function headlineOf({ preset, sizes, directions }) {
  const [least, most] = [sizes[0], sizes[sizes.length - 1]].map(formatSize);
  const span = sizes.length === 1 ? `Messages of ${least}` : `Messages from ${least} to ${most}`;
  return `${span}, ${directions.join(', ')}${preset ? ', as published' : ''}`;
}

export const sampleColumns = [
  'block', 'trial', 'direction', 'bytes', 'transport', 'protocol', 'outcome',
  'set_up_ms', 'started_at_ms', 'duration_ms', 'message',
]; // prettier-ignore

/** @param {PayloadTrial} trial @param {number} index */
export function sampleRows({ block, direction, size, transport, protocol, failure, ...trial }, index) {
  const times = [trial.setUpMs, trial.startedAtMs, trial.durationMs].map((ms) => ms?.toFixed(3));
  const outcome = failure?.outcome ?? 'ok';
  return [[block + 1, index + 1, direction, size, transport, protocol, outcome, ...times, failure?.message]];
}
