/** The description of the payload experiment: messages of many sizes, as uploads, downloads and echoes. */
import { schemaOfFields } from '../../experiment/fields.js';
import { planned } from '../../experiment/planned.js';
import { labelOfTransfer, NEW_CONNECTION_LABELS, TRANSFER_LABELS } from '../../net/labels.js';
import { SPARING_MEGABYTES, TIME_BUDGET } from './budget.js';
import { measurement } from './measure.js';
import * as plans from './plan.js';
import { BEST_OF_NOTE, report, summarize } from './report.js';

/**
 * @import { InferOutput } from 'valibot'
 * @import { Counts, ExperimentDocument } from '../../experiment/contract.js'
 * @import { DocumentFields, Valibot } from '../../experiment/documents/fields.js'
 * @import { PayloadPlan } from './plan.js'
 * @typedef {InferOutput<ReturnType<typeof trialSchema>>} PayloadTrial one message
 * @typedef {NonNullable<PayloadTrial['failure']>} PayloadFailure
 * @typedef {ExperimentDocument<PayloadPlan, PayloadTrial>} PayloadDocument
 */

/** The preset distinguishes the two kinds of plans. @param {Valibot} v */
function planSchema(v) {
  const sweep = v.strictObject({ preset: v.optional(v.never()), ...schemaOfFields(v, plans.FIELDS) });
  const published = v.strictObject({
    preset: v.literal(plans.PUBLISHED),
    ...schemaOfFields(v, plans.PUBLISHED_FIELDS),
  });
  return v.variant('preset', [published, sweep]);
}

/** @param {Valibot} v @param {DocumentFields} fields */
function trialSchema(v, { text, ms, count, failure: { outcome, message } }) {
  return v.pipe(
    v.strictObject({
      block: count,
      size: count,
      direction: v.picklist(plans.DIRECTIONS),
      transport: v.picklist(Object.keys({ ...TRANSFER_LABELS, ...NEW_CONNECTION_LABELS })),
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

/** @param {PayloadPlan} plan */
function headlineOf(plan) {
  const { preset, sizes, directions } = plans.withinBudget(plan);
  const [least, most] = [sizes[0], sizes[sizes.length - 1]].map(plans.formatSize);
  const span = sizes.length === 1 ? `Messages of ${least}` : `Messages from ${least} to ${most}`;
  return `${span}, ${directions.join(', ')}${preset ? ', as published' : ''}`;
}

const sampleColumns = [
  'block', 'trial', 'direction', 'bytes', 'transport', 'protocol', 'outcome',
  'set_up_ms', 'started_at_ms', 'duration_ms', 'message',
]; // prettier-ignore

/** @param {PayloadTrial} trial @param {number} index */
function sampleRows({ block, direction, size, transport, protocol, failure, ...trial }, index) {
  const times = [trial.setUpMs, trial.startedAtMs, trial.durationMs].map((ms) => ms?.toFixed(3));
  const outcome = failure?.outcome ?? 'ok';
  return [[block + 1, index + 1, direction, size, transport, protocol, outcome, ...times, failure?.message]];
}

/** @param {PayloadTrial} trial @returns {Counts} */
const countsOf = ({ durationMs, failure }) => ({
  answerCount: durationMs === undefined ? 0 : 1,
  failures: failure ? [failure] : [],
});

export const payload = planned({
  ...measurement,
  name: 'payload',
  label: 'Payload size',
  path: '/payloadtest',
  intro: 'Which transport is fastest at which message size?',
  legend: 'Plan',
  fields: plans.FIELDS,
  parsePlan: plans.parsePayloadPlan,
  formatPlan: plans.formatPayloadPlan,
  describePlan: plans.describePayloadPlan,
  describeTrial: ({ size, direction, transport }) =>
    `${plans.formatSize(size)} ${direction} by ${labelOfTransfer(transport)}`,
  messageCountOf: () => 1,
  hasChart: false,
  viewData: {
    sizes: plans.DEFAULT_SIZES.map((size) => ({
      size,
      label: size === 1 ? '1 B (1 character)' : plans.formatSize(size),
      isPublished: plans.PUBLISHED_SIZES.includes(size),
    })),
    published: plans.PUBLISHED,
    bestOfNote: BEST_OF_NOTE,
    timeBudget: TIME_BUDGET,
    sparingMegabytes: SPARING_MEGABYTES,
  },
  planSchema,
  checkPlan: plans.checkBudget,
  trialKeys: ['block', 'size', 'direction', 'transport'],
  trialSchema,
  faultOf: (/** @type {PayloadTrial} */ { failure }, { isCut }) =>
    failure?.outcome === 'aborted' && !isCut
      ? 'expected only the last message of a run that ended early to be aborted'
      : undefined,
  sampleColumns,
  sampleRows,
  headlineOf,
  countsOf,
  lastMsOf: ({ durationMs = 0 }) => durationMs,
  // Of echoes that fit a packet.
  roundTripsOf: ({ trials }) =>
    trials.flatMap((/** @type {PayloadTrial} */ { direction, size, durationMs }) =>
      direction === 'echo' && size <= 1000 ? (durationMs ?? []) : [],
    ),
  summarize,
  report,
});
