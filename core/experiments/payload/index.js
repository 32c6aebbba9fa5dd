/** The description of the payload experiment: messages of many sizes, as uploads, downloads and echoes. */
import { createFind } from '../../experiment/report/find.js';
import { liveDots, samplesCsv } from '../../experiment/run/trials.js';
import { labelOfTransfer } from '../../experiment/answer/labels.js';
import { fullTest } from './full-test.js';
import { measurement } from './measure.js';
import * as plans from './plan.js';
import { describePayloadPlan } from './plan.js';
import { report } from './report.js';
import { planSchema, trialSchema } from './schema.js';
import { answersOf, summarize } from './summary.js';

/**
 * @import { Experiment, TrialFacts } from '../../experiment/contract.js'
 * @import { PayloadTrial } from './schema.js'
 */

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

/** @param {PayloadTrial} trial @returns {TrialFacts} */
const readTrial = ({ durationMs, failure }) => ({
  answerCount: durationMs === undefined ? 0 : 1,
  failures: failure ? [failure] : [],
  lastMs: durationMs,
  leastMs: durationMs,
});

/** The times of echoes that fit a packet. @param {{ trials: readonly PayloadTrial[] }} run @returns {number[]} ms */
const roundTripsOf = ({ trials }) =>
  trials.flatMap(({ direction, size, durationMs }) => (direction === 'echo' && size <= 1000 ? (durationMs ?? []) : []));

/** @satisfies {Experiment} */
export const payload = Object.freeze({
  ...measurement,
  name: 'payload',
  label: fullTest.question,
  path: '/payloadtest',
  question: 'Which transport is fastest at which message size?',
  fields: plans.FIELDS,
  describePlan: describePayloadPlan,
  progressOf: ({ size, direction, transport }) => ({
    label: `${plans.formatSize(size)} ${direction} by ${labelOfTransfer(transport)}`,
    totalCount: 1,
  }),
  presets: [{ label: 'Published', plan: `preset=${plans.PUBLISHED}`, isInForm: true, fields: plans.PUBLISHED_FIELDS }],
  live: liveDots({
    caption: 'Time of each message so far, ms',
    labelOf: labelOfTransfer,
    msOf: (/** @type {PayloadTrial} */ { durationMs }) => (durationMs === undefined ? [] : [durationMs]),
  }),
  schemaOf: (v, _, ofRun) => ofRun({ plan: planSchema(v) }),
  checkPlan: plans.checkBudget,
  trialSchema,
  faultOf: (/** @type {PayloadTrial} */ { failure }, { isCut }) =>
    failure?.outcome === 'aborted' && !isCut
      ? 'expected only the last message of a run that ended early to be aborted'
      : undefined,
  formatCsv: samplesCsv(sampleColumns, sampleRows),
  readTrial,
  compares: true,
  find: createFind({
    summarize,
    report,
    roundTripsOf,
    trustOf: () => ({ isBusy: true }),
    answersOf,
  }),
  fullTest,
});

export default payload;
