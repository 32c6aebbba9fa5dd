/**
 * The document of a run at a fixed rate.
 */
import { formatCsvLine } from '../../base/csv.js';
import { FIELDS } from './plan.js';
import { describeFixedRate } from './report.js';
import { measurement } from './measure.js';
import { quoteEnding, headlineOfEnding, problemOfFault } from '../../experiment/documents/ending.js';
import { experimentFields, isCarriedOut } from '../../experiment/documents/experiment-fields.js';
import { schemaOfFields } from '../../experiment/fields.js';
import { isAccountedFor, isRising } from '../../experiment/documents/fields.js';
import { serverOf } from '../../experiment/documents/server-of.js';

/**
 * @import { Digest, Problem } from '../../experiment/contract.js'
 * @import { Valibot } from '../../experiment/documents/fields.js'
 * @import { ExperimentDocument } from '../../experiment/measure-document.js'
 * @import { LoopTrial, OpenLoopTrial } from './measure.js'
 * @import { OpenFailure } from './open-trial.js'
 * @import { FixedRatePlan } from './plan.js'
 */

/**
 * @typedef {ExperimentDocument<FixedRatePlan, LoopTrial>} FixedRateDocument
 */

/** A plan's times are whole intervals apart, but for what adding and subtracting loses. */
const ROUNDING_MS = 1e-3;

/**
 * @param {Valibot} v
 * @param {ReturnType<typeof import('../../experiment/documents/fields.js').createFields>} fields
 */
export function schemaOf(v, fields) {
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
  return v.strictObject({
    schema: v.literal(measurement.schema),
    plan: v.strictObject(schemaOfFields(v, FIELDS)),
    ...experimentFields(v, fields),
    trials: v.array(v.variant('loop', [closed, open])),
  });
}

/**
 * @param {FixedRateDocument} document
 * @returns {Problem | undefined}
 */
export function problemOf(document) {
  const { plan, trials, ending } = document;
  const isRight = isCarriedOut(
    { planned: measurement.trialsOf(plan), trials, ending },
    (trial, planned, isCutShort) =>
      trial.transport === planned.transport &&
      trial.loop === planned.loop &&
      trial.block === planned.block &&
      isRising(trial.samples.iteration, plan.messages) &&
      (trial.loop === 'closed'
        ? isAccountedFor(trial.samples, trial.failures, plan.messages, isCutShort)
        : isCounted(trial, plan) && isPlanned(trial, plan)),
  );
  if (!isRight) {
    const message = 'expected those of its plan, in its order, with every message sent, failed or missed';
    return { path: 'trials', message };
  }
  return problemOfFault(measurement, document);
}

/**
 * Is each message of the plan a sample, a failure, or missed?
 *
 * @param {OpenLoopTrial} trial
 * @param {FixedRatePlan} plan
 */
function isCounted({ samples, failures, missed }, { messages }) {
  const failedCount = failures.filter(({ iteration }) => iteration !== undefined).length;
  return samples.iteration.length + failedCount + missed.unansweredCount + missed.endedCount === messages;
}

/**
 * Are the times in their order, and those of the plan an interval apart?
 *
 * @param {OpenLoopTrial} trial
 * @param {FixedRatePlan} plan
 */
function isPlanned({ samples: { iteration, plannedAtMs, sentAtMs, endedAtMs } }, { ratePerSecond }) {
  const firstMs = plannedAtMs[0] - iteration[0] * (1000 / ratePerSecond);
  return iteration.every(
    (number, i) =>
      Math.abs(plannedAtMs[i] - firstMs - number * (1000 / ratePerSecond)) < ROUNDING_MS &&
      sentAtMs[i] >= plannedAtMs[i] - ROUNDING_MS &&
      endedAtMs[i] >= sentAtMs[i],
  );
}

/**
 * @param {FixedRateDocument} document
 * @returns {Digest}
 */
export function digest({ startedAt, plan, environment, statusBefore, trials, ending }) {
  return {
    startedAt,
    ...serverOf(environment, statusBefore),
    transports: [...plan.transports],
    isValid: ending === undefined,
    headline: ending ? headlineOfEnding(ending) : `At ${plan.ratePerSecond} messages/s, and back-to-back`,
    detail: ending ? quoteEnding(ending) : describeFixedRate(plan, trials).join(' '),
    sampleCount: trials.reduce((sum, { samples }) => sum + samples.iteration.length, 0),
    failureCount: trials.reduce((sum, { failures }) => sum + failures.length, 0),
  };
}

const COLUMNS = [
  'block', 'trial', 'transport', 'protocol', 'loop', 'iteration', 'outcome',
  'planned_at_ms', 'sent_at_ms', 'ended_at_ms', 'message',
]; // prettier-ignore

/** @param {FixedRateDocument} document */
export function formatCsv({ trials }) {
  return [COLUMNS, ...trials.flatMap(linesOf)].map(formatCsvLine).join('');
}

/**
 * Its times count from the run's start.
 *
 * @param {LoopTrial} trial
 * @param {number} index
 * @returns {(string | number | undefined)[][]}
 */
function linesOf(trial, index) {
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
