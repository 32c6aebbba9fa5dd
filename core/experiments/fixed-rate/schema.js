/** Defines the schema of a saved run at a fixed rate. */
import { isAccountedFor, isRising } from '../../experiment/documents/document-fields.js';

/**
 * @import { ExperimentDocument } from '../../experiment/contract.js'
 * @import { OutputOf, Valibot } from '../../base/valibot.js'
 * @import { DocumentFields } from '../../experiment/documents/document-fields.js'
 * @import { FixedRatePlan } from './plan.js'
 * @typedef {OutputOf<typeof trialSchema>} LoopTrial
 * @typedef {Extract<LoopTrial, { loop: 'open' }>} OpenLoopTrial by the plan
 * @typedef {Extract<LoopTrial, { loop: 'closed' }>} ClosedLoopTrial back-to-back
 * @typedef {ExperimentDocument<FixedRatePlan, LoopTrial>} FixedRateDocument
 */

const ROUNDING_MS = 1e-3;

/** @param {Valibot} v @param {DocumentFields} fields */
export function trialSchema(v, fields) {
  const { ms, count, echo, failure } = fields;
  const { server, ...common } = { block: count, startedAtMs: ms, ...echo };
  const closed = v.strictObject({ ...common, loop: v.literal('closed'), server });
  const open = v.strictObject({
    ...common,
    loop: v.literal('open'),
    // Each list has an entry per ok message, in the order of the plan; times count from the trial's start.
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
    // The times are absent if the connection itself failed, or a warm-up.
    failures: v.array(v.strictObject({ ...failure, plannedAtMs: v.optional(ms), sentAtMs: v.optional(ms) })),
    missed: v.strictObject({
      // These were never sent, as too many were unanswered at their time.
      unansweredCount: count,
      // These were never sent, as the trial had ended; or sent, but the run ended the trial before the answer.
      endedCount: count,
    }),
  });
  return v.variant('loop', [closed, open]);
}

/** @param {LoopTrial} trial @param {{ plan: FixedRatePlan, isCut: boolean }} run */
export function faultOf(trial, { plan: { messages }, isCut }) {
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
