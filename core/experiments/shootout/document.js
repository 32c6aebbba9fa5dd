/**
 * The document of a run of the home page, or of the command line.
 */
import { measurement } from './measure.js';
import { schemaOfFields } from '../../experiment/fields.js';
import { MAX_SAMPLES } from '../../experiment/plan-link.js';
import { FIELDS, sampleCountOf } from './plan.js';
import { createReport } from './report.js';
import { LABELS } from '../../net/echo/labels.js';
import { challengerOf } from './verdict.js';
import { quoteEnding, problemOfFault } from '../../experiment/documents/ending.js';
import { isCut } from '../../experiment/documents/experiment-fields.js';
import { isAccountedFor, isRising } from '../../experiment/documents/fields.js';
import { serverOf } from '../../experiment/documents/server-of.js';

/**
 * @import { Comparison } from '../../experiment/compare.js'
 * @import { Digest, Problem } from '../../experiment/contract.js'
 * @import { Valibot } from '../../experiment/documents/fields.js'
 * @import { Result } from './result.js'
 */

/**
 * @param {Valibot} v
 * @param {ReturnType<typeof import('../../experiment/documents/fields.js').createFields>} fields
 */
export function schemaOf(v, fields) {
  const { text, time, ms, count, transport } = fields;
  const trial = v.strictObject({
    block: count,
    transport,
    protocol: v.optional(text),
    setUpMs: v.optional(ms),
    server: v.optional(fields.server),
    startedAtMs: ms,
    samples: fields.samples,
    failures: fields.failures,
    requests: v.optional(fields.requests),
  });
  return v.strictObject({
    schema: v.literal(measurement.schema),
    startedAt: time,
    plan: v.strictObject(schemaOfFields(v, FIELDS)),
    environment: fields.environment,
    statusBefore: v.optional(fields.status),
    statusAfter: v.optional(fields.status),
    trials: v.array(trial),
    coldSetUpMs: v.strictObject(Object.fromEntries(Object.keys(LABELS).map((name) => [name, v.optional(ms)]))),
    preflight: v.optional(
      v.strictObject({
        firstMs: v.pipe(v.array(ms), v.maxLength(100)),
        secondMs: v.pipe(v.array(ms), v.maxLength(100)),
      }),
    ),
    ending: v.optional(fields.ending),
  });
}

/**
 * The trials must be those of the plan, in its order, and all of them unless the run says that it ended early: a result
 * without the blocks that did not suit somebody would be another one. And what makes a run invalid must be said.
 *
 * @param {Result} result
 * @returns {Problem | undefined}
 */
export function problemOf(result) {
  if (!fitsItsPlan(result)) {
    return {
      path: 'trials',
      message: 'expected those of its plan, in its order, each message a sample or a failure',
    };
  }
  return problemOfFault(measurement, result);
}

/** @param {Result} result */
function fitsItsPlan({ plan, trials, ending }) {
  const planned = measurement.trialsOf(plan);
  return (
    sampleCountOf(plan) <= MAX_SAMPLES &&
    trials.length <= planned.length &&
    (ending !== undefined || trials.length === planned.length) &&
    trials.every(
      ({ block, transport, samples, failures }, index) =>
        block === planned[index].block &&
        transport === planned[index].transport &&
        samples.iteration.length + failures.length <= plan.iterations + plan.warmUpCount + 1 &&
        isAccountedFor(samples, failures, plan.iterations, isCut({ trials, ending }, index)) &&
        isRising(samples.iteration, plan.iterations),
    )
  );
}

/**
 * @param {Result} result
 * @returns {Digest}
 */
export function digest(result) {
  const { floorMs, rows, verdict } = createReport(result);
  const challenger = challengerOf(result.plan);
  const row = rows.find(({ transport }) => transport === challenger);
  return {
    startedAt: result.startedAt,
    ...serverOf(result.environment, result.statusBefore ?? result.trials.find(({ server }) => server)?.server),
    transports: result.plan.transports,
    isValid: result.ending === undefined,
    headline: verdict.headline,
    detail: result.ending ? quoteEnding(result.ending) : verdict.detail,
    sampleCount: rows.reduce((sum, { summary }) => sum + summary.sampleCount, 0),
    failureCount: rows.reduce((sum, { failures }) => sum + failures.length, 0),
    plan: result.plan,
    floorMs,
    comparison: result.ending || !row?.comparison ? undefined : summaryOf(row.comparison),
  };
}

/**
 * @param {Comparison} comparison
 * @returns {Omit<Comparison, 'centres'>} without what its samples tell
 */
function summaryOf(comparison) {
  const { transport, baseline, blockCount, isTooCoarse, statistic, savingMs, speedRatio, word, neededBlocks } =
    comparison;
  return { transport, baseline, blockCount, isTooCoarse, statistic, savingMs, speedRatio, word, neededBlocks };
}
