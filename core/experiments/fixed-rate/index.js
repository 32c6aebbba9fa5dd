/**
 * Fixed rate: messages leave on a schedule, whatever came back (an open loop), beside the back-to-back loop (a closed
 * one) of as many messages. In that a stall is one slow sample, and the messages that would have left during it are
 * left out (coordinated omission); here it is in as many samples as were due. A trial is so many messages, not so many
 * seconds: a percentile has as many samples at every rate.
 */
import { inBlocks } from '../../base/random.js';
import { MIN_BLOCKS, warnOfFewBlocks } from '../../experiment/compare.js';
import { isAccountedFor, isRising } from '../../experiment/documents/fields.js';
import { countsOf, lastMsOf as lastEchoMsOf } from '../../experiment/echo-trials.js';
import { createFaultWatch } from '../../experiment/faults.js';
import { integer, checkSampleCount, SEED, TRANSPORTS } from '../../experiment/fields.js';
import { planned } from '../../experiment/planned.js';
import { lastOf } from '../../experiment/trials.js';
import { labelOf } from '../../net/labels.js';
import { runTrial, toRunTrial } from '../../net/echo/trial.js';
import { runOpenTrial } from './open-trial.js';
import { report } from './report.js';
import { latenciesOf, summarize } from './summary.js';

/**
 * @import { InferOutput } from 'valibot'
 * @import { ExperimentDocument, Measurement } from '../../experiment/contract.js'
 * @import { DocumentFields, Valibot } from '../../experiment/documents/fields.js'
 * @import { Now } from '../../base/clock.js'
 * @import { PlanOf } from '../../experiment/fields.js'
 * @import { Transport } from '../../net/echo/index.js'
 * @import { SleepUntil } from './open-trial.js'
 * @typedef {PlanOf<typeof FIELDS>} FixedRatePlan each block holds two trials of every transport, in random order
 * @typedef {InferOutput<ReturnType<typeof trialSchema>>} LoopTrial
 * @typedef {Extract<LoopTrial, { loop: 'open' }>} OpenLoopTrial by the plan
 * @typedef {Extract<LoopTrial, { loop: 'closed' }>} ClosedLoopTrial back-to-back
 * @typedef {ExperimentDocument<FixedRatePlan, LoopTrial>} FixedRateDocument
 * @typedef {Pick<LoopTrial, 'transport' | 'loop' | 'block'>} PlannedTrial
 * @typedef {{ plan: FixedRatePlan, transports: Record<string, Transport>, now: Now, sleepUntil: SleepUntil, timeoutMs?:
 *   number, signal?: AbortSignal }} Options `timeoutMs`: limit of one answer
 */

/** Of a back-to-back trial, as on the home page. */
const CLOSED_WARM_UP_COUNT = 3;
const ROUNDING_MS = 1e-3;

const LOOPS = /** @type {const} */ (['open', 'closed']);

const FIELDS = Object.freeze({
  transports: TRANSPORTS,
  // Message i is due i / ratePerSecond after the first.
  ratePerSecond: integer({ parameter: 'rate', label: 'Messages per second', min: 1, max: 1000, default: 50 }),
  messages: integer({ parameter: 'messages', label: 'Messages per trial', min: 2, max: 10_000, default: 100 }),
  blocks: integer({ parameter: 'blocks', label: 'Blocks', min: 3, max: 50, default: MIN_BLOCKS }),
  seed: SEED,
});

/** Of a run without failures. @param {Pick<FixedRatePlan, 'transports' | 'messages' | 'blocks'>} plan */
export const sampleCountOf = ({ transports, messages, blocks }) => blocks * transports.length * 2 * messages;

/** @type {Measurement<Options, PlannedTrial, LoopTrial>} */
const measurement = {
  schema: 'sockshootout/fixed-rate/1',
  trialsOf(plan) {
    const each = plan.transports.flatMap((transport) => LOOPS.map((loop) => ({ transport, loop })));
    return inBlocks(each, plan);
  },
  async runTrial({ transport, loop, block }, { plan: { ratePerSecond, messages }, transports, ...others }) {
    const options = { ...others, transport: transports[transport] };
    if (loop === 'open') return { loop, block, ...(await runOpenTrial({ ...options, ratePerSecond, messages })) };
    const trial = await runTrial({ ...options, iterations: messages, warmUpCount: CLOSED_WARM_UP_COUNT });
    return { loop, ...toRunTrial(trial, block) };
  },
  watchFaults: ({ transports, messages }) => createFaultWatch(transports, { iterations: messages }),
};

/** @param {Valibot} v @param {DocumentFields} fields */
function trialSchema(v, fields) {
  const { ms, count, echo, failure } = fields;
  const { server, ...common } = { block: count, startedAtMs: ms, ...echo };
  const closed = v.strictObject({ ...common, loop: v.literal('closed'), server });
  const open = v.strictObject({
    ...common,
    loop: v.literal('open'),
    // An entry in each list per ok message, in the order of the plan; times count from the trial's start.
    samples: v.pipe(
      v.strictObject({
        iteration: v.array(count),
        plannedAtMs: v.array(ms),
        sentAtMs: v.array(ms),
        endedAtMs: v.array(ms),
      }),
      v.check(
        ({ iteration: { length }, ...times }) => Object.values(times).every((list) => list.length === length),
        'expected as many iterations as times planned, sent and ended',
      ),
    ),
    // With no times where the connection itself failed, or a warm-up.
    failures: v.array(v.strictObject({ ...failure, plannedAtMs: v.optional(ms), sentAtMs: v.optional(ms) })),
    missed: v.strictObject({
      // Never sent, as too many were without an answer at their time.
      unansweredCount: count,
      // Never sent, as the trial had ended; or sent, but then the run itself ended the trial before the answer.
      endedCount: count,
    }),
  });
  return v.variant('loop', [closed, open]);
}

/** @param {LoopTrial} trial @param {{ plan: FixedRatePlan, isCut: boolean }} run */
function faultOf(trial, { plan: { messages }, isCut }) {
  if (!isRising(trial.samples.iteration, messages)) return 'expected each message once, in order';
  const uncounted = 'expected every message sent, failed or missed';
  if (trial.loop === 'closed') return isAccountedFor(trial, messages, isCut) ? undefined : uncounted;
  const { iteration, plannedAtMs, sentAtMs, endedAtMs } = trial.samples;
  const areInOrder = sentAtMs.every((sentMs, i) => plannedAtMs[i] <= sentMs + ROUNDING_MS && sentMs <= endedAtMs[i]);
  if (!areInOrder) return 'expected messages planned, sent and answered, in that order';
  const failedCount = trial.failures.filter((failure) => failure.iteration !== undefined).length;
  const { unansweredCount, endedCount } = trial.missed;
  return iteration.length + failedCount + unansweredCount + endedCount === messages ? undefined : uncounted;
}

/** Its times count from the run's start. @param {LoopTrial} trial @param {number} index */
function sampleRows(trial, index) {
  const { block, transport, protocol, loop, startedAtMs, samples } = trial;
  const place = [block + 1, index + 1, transport, protocol, loop];
  /** @param {number | undefined} ms since the trial's start */
  const time = (ms) => (ms === undefined ? undefined : (startedAtMs + ms).toFixed(3));
  const { sentAtMs } = samples;
  const [plannedAtMs, endedAtMs] =
    trial.loop === 'open'
      ? [trial.samples.plannedAtMs, trial.samples.endedAtMs]
      : [[], trial.samples.roundTripMs.map((ms, i) => sentAtMs[i] + ms)];
  /** @type {OpenLoopTrial['failures']} */
  const failures = trial.failures;
  return [
    ...samples.iteration.map((iteration, i) => [
      ...place,
      iteration + 1,
      'ok',
      ...[plannedAtMs[i], sentAtMs[i], endedAtMs[i]].map(time),
    ]),
    ...failures.map(({ iteration, outcome, message, plannedAtMs: plannedMs, sentAtMs: sentMs }) => {
      const number = iteration === undefined ? undefined : iteration + 1;
      return [...place, number, outcome, time(plannedMs), time(sentMs), undefined, message];
    }),
  ];
}

/** @param {LoopTrial} trial @returns {number} of its last answer, or of the last message that failed, since its start */
function lastMsOf(trial) {
  if (trial.loop === 'closed') return lastEchoMsOf(trial);
  return lastOf([...trial.samples.endedAtMs, ...trial.failures.map(({ sentAtMs = 0 }) => sentAtMs)]);
}

/** Messages on a schedule, beside the back-to-back loop. */
export const fixedRate = planned({
  ...measurement,
  name: 'fixed-rate',
  label: 'Fixed rate',
  path: '/fixedrate',
  intro: 'How long do answers take when messages leave on a schedule, without waiting for the previous answer?',
  legend: 'Transports and rate',
  fields: FIELDS,
  checkPlan: (plan) => checkSampleCount(sampleCountOf(plan), 'blocks times transports times messages, twice'),
  describePlan({ transports, ratePerSecond, messages, blocks }) {
    const seconds = Math.round((blocks * transports.length * messages) / ratePerSecond);
    return `${blocks} blocks, each with two trials per transport (${transports.map(labelOf).join(', ')}) in random order: ${messages} messages at ${ratePerSecond}/s, and ${messages} back-to-back. The fixed-rate trials take ${seconds} s in total.${warnOfFewBlocks(blocks)}`;
  },
  describeTrial: ({ transport, loop }) =>
    `${labelOf(transport)} ${loop === 'open' ? 'at the fixed rate' : 'back-to-back'}`,
  messageCountOf: (_, { messages }) => messages,
  hasChart: true,
  trialKeys: ['block', 'transport', 'loop'],
  trialSchema,
  faultOf,
  sampleColumns:
    'block,trial,transport,protocol,loop,iteration,outcome,planned_at_ms,sent_at_ms,ended_at_ms,message'.split(','),
  sampleRows,
  headlineOf: ({ ratePerSecond }) => `At ${ratePerSecond} messages/s, and back-to-back`,
  countsOf,
  lastMsOf,
  roundTripsOf: ({ trials }) => trials.flatMap((/** @type {LoopTrial} */ trial) => latenciesOf(trial, 'send')),
  summarize,
  report,
});
