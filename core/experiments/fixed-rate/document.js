/** The document of a run at a fixed rate. */
import { isAccountedFor, isRising } from '../../experiment/documents/fields.js';

/**
 * @import { Fields, Valibot } from '../../experiment/documents/fields.js'
 * @import { ExperimentDocument } from '../../experiment/run.js'
 * @import { LoopTrial, OpenLoopTrial } from './measure.js'
 * @import { OpenFailure } from './open-trial.js'
 * @import { FixedRatePlan } from './plan.js'
 */

/** @typedef {ExperimentDocument<FixedRatePlan, LoopTrial>} FixedRateDocument */

/** What adding and subtracting loses. */
const ROUNDING_MS = 1e-3;

/** @param {Valibot} v @param {Fields} fields */
export function trialSchema(v, fields) {
  const { text, ms, count, transport } = fields;
  const common = {
    block: count,
    transport,
    protocol: v.optional(text),
    setUpMs: v.optional(ms),
    requests: v.optional(fields.requests),
    startedAtMs: ms,
  };
  const closed = v.strictObject({
    ...common,
    loop: v.literal('closed'),
    server: v.optional(fields.server),
    samples: fields.samples,
    failures: fields.failures,
  });
  const open = v.strictObject({
    ...common,
    loop: v.literal('open'),
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
    failures: v.array(v.strictObject({ ...fields.failure, plannedAtMs: v.optional(ms), sentAtMs: v.optional(ms) })),
    missed: v.strictObject({ unansweredCount: count, endedCount: count }),
  });
  return v.variant('loop', [closed, open]);
}

/**
 * @param {LoopTrial} trial
 * @param {{ plan: FixedRatePlan, isCut: boolean }} run
 * @returns {string | undefined} what was expected
 */
export function faultOf(trial, { plan: { messages }, isCut }) {
  const { samples, failures } = trial;
  if (!isRising(samples.iteration, messages)) return 'expected each message once, in its order';
  if (trial.loop === 'open' && !areTimesInOrder(trial)) {
    return 'expected messages planned, sent and answered, in that order';
  }
  const isCounted =
    trial.loop === 'open' ? countOf(trial) === messages : isAccountedFor(samples, failures, messages, isCut);
  return isCounted ? undefined : 'expected every message sent, failed or missed';
}

/** @param {OpenLoopTrial} trial */
function areTimesInOrder({ samples: { plannedAtMs, sentAtMs, endedAtMs } }) {
  return sentAtMs.every((sentMs, i) => plannedAtMs[i] <= sentMs + ROUNDING_MS && sentMs <= endedAtMs[i]);
}

/** @param {OpenLoopTrial} trial @returns {number} messages that it tells of */
function countOf({ samples, failures, missed: { unansweredCount, endedCount } }) {
  const failedCount = failures.filter(({ iteration }) => iteration !== undefined).length;
  return samples.iteration.length + failedCount + unansweredCount + endedCount;
}

export const sampleColumns = [
  'block', 'trial', 'transport', 'protocol', 'loop', 'iteration', 'outcome',
  'planned_at_ms', 'sent_at_ms', 'ended_at_ms', 'message',
]; // prettier-ignore

/** Its times count from the run's start. @param {LoopTrial} trial @param {number} index */
export function sampleRows(trial, index) {
  const { block, transport, protocol, loop, startedAtMs, samples, failures } = trial;
  const place = [block + 1, index + 1, transport, protocol, loop];
  /** @param {number | undefined} ms since the trial's start */
  const time = (ms) => (ms === undefined ? undefined : (startedAtMs + ms).toFixed(3));
  const plannedAtMs = trial.loop === 'open' ? trial.samples.plannedAtMs : [];
  const endedAtMs =
    trial.loop === 'open'
      ? trial.samples.endedAtMs
      : trial.samples.roundTripMs.map((ms, i) => trial.samples.sentAtMs[i] + ms);
  return [
    ...samples.iteration.map((iteration, i) => [
      ...place,
      iteration + 1,
      'ok',
      time(plannedAtMs[i]),
      time(samples.sentAtMs[i]),
      time(endedAtMs[i]),
    ]),
    ...failures.map(({ iteration, outcome, message, ...times }) => {
      const { plannedAtMs: planned, sentAtMs: sent } = /** @type {OpenFailure} */ (times);
      const number = iteration === undefined ? undefined : iteration + 1;
      return [...place, number, outcome, time(planned), time(sent), undefined, message];
    }),
  ];
}
