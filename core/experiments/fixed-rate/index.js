/**
 * Fixed rate: messages are sent on a schedule, without waiting for answers (an open loop), and compared with the
 * back-to-back loop (a closed one) of as many messages. In a closed loop a stall is one slow sample, and the messages
 * that would have been sent during it are left out (coordinated omission); in an open loop all messages that were due
 * have it. The length of a trial is a number of messages, not of seconds: a percentile has as many samples at every
 * rate.
 */
import { lastMsOf } from '../../experiment/run/echo-trials.js';
import { createFind } from '../../experiment/report/find.js';
import { lastOf, liveDots, samplesCsv } from '../../experiment/run/trials.js';
import { labelOf } from '../../experiment/answer/labels.js';
import { fullTest } from './full-test.js';
import { measurement } from './measure.js';
import { checkPlan, describePlan, FIELDS } from './plan.js';
import { report } from './report.js';
import { faultOf, trialSchema } from './schema.js';
import { answersOf, latenciesOf, summarize } from './summary.js';

/**
 * @import { Experiment } from '../../experiment/contract.js'
 * @import { LoopTrial, OpenLoopTrial } from './schema.js'
 */

/**
 * Returns the CSV lines of a trial; times count from the run's start.
 * @param {LoopTrial} trial @param {number} index
 */
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

/** The last event is the last answer, or the last message that failed. @param {LoopTrial} trial */
const readTrial = (trial) => ({
  answerCount: trial.samples.iteration.length,
  failures: trial.failures,
  lastMs:
    trial.loop === 'closed'
      ? lastMsOf(trial)
      : lastOf([...trial.samples.endedAtMs, ...trial.failures.map(({ sentAtMs = 0 }) => sentAtMs)]),
});

/** @param {{ trials: readonly LoopTrial[] }} run @returns {number[]} ms */
const roundTripsOf = ({ trials }) => trials.flatMap((trial) => latenciesOf(trial, 'send'));

/** Messages on a schedule, beside the back-to-back loop. @satisfies {Experiment} */
export const fixedRate = Object.freeze({
  ...measurement,
  name: 'fixed-rate',
  label: fullTest.question,
  path: '/fixedrate',
  question: 'How long do answers take when messages leave on a schedule, without waiting for the previous answer?',
  fields: FIELDS,
  checkPlan,
  describePlan,
  progressOf: ({ transport, loop }, { messages }) => ({
    label: `${labelOf(transport)} ${loop === 'open' ? 'at the fixed rate' : 'back-to-back'}`,
    totalCount: messages,
  }),
  live: liveDots({
    caption: 'Time of each message so far since it was due, ms',
    labelOf,
    msOf: (/** @type {LoopTrial} */ trial) => latenciesOf(trial, 'plan'),
  }),
  trialSchema,
  faultOf,
  formatCsv: samplesCsv(
    'block,trial,transport,protocol,loop,iteration,outcome,planned_at_ms,sent_at_ms,ended_at_ms,message'.split(','),
    sampleRows,
  ),
  readTrial,
  compares: true,
  find: createFind({ summarize, report, roundTripsOf, answersOf }),
  fullTest,
});

export default fixedRate;
