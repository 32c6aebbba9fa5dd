/** The document of a run of the home page, or of the command line. */
import { measurement } from './measure.js';
import { schemaOfFields } from '../../experiment/fields.js';
import { MAX_SAMPLES } from '../../experiment/plan-link.js';
import { FIELDS, sampleCountOf } from './plan.js';
import { createReport } from './report.js';
import { LABELS } from '../../net/labels.js';
import { challengerOf } from './verdict.js';
import { isAccountedFor, isRising } from '../../experiment/documents/fields.js';
import { digestOfRun, problemOfRun, schemaOfRun } from '../../experiment/documents/run-document.js';

/**
 * @import { Comparison } from '../../experiment/compare.js'
 * @import { Digest, Problem } from '../../experiment/contract.js'
 * @import { Fields, Valibot } from '../../experiment/documents/fields.js'
 * @import { Result } from './result.js'
 */

/** @param {Valibot} v @param {Fields} fields */
export function schemaOf(v, fields) {
  const { text, ms, count, transport } = fields;
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
  const times = v.pipe(v.array(ms), v.maxLength(100));
  const more = {
    coldSetUpMs: v.strictObject(Object.fromEntries(Object.keys(LABELS).map((name) => [name, v.optional(ms)]))),
    preflight: v.optional(v.strictObject({ firstMs: times, secondMs: times })),
  };
  const plan = v.strictObject(schemaOfFields(v, FIELDS));
  return schemaOfRun(v, fields, { schema: measurement.schema, plan, trial, more });
}

/** @param {Result} result @returns {Problem | undefined} */
export function problemOf(result) {
  const { iterations, warmUpCount } = result.plan;
  if (sampleCountOf(result.plan) > MAX_SAMPLES)
    return { path: 'plan', message: `expected at most ${MAX_SAMPLES} samples` };
  return problemOfRun(measurement, result, {
    by: ['block', 'transport'],
    faultOf({ samples, failures }, isCut) {
      const isRight =
        isRising(samples.iteration, iterations) &&
        samples.iteration.length + failures.length <= iterations + warmUpCount + 1 &&
        isAccountedFor(samples, failures, iterations, isCut);
      return isRight ? undefined : 'expected each message once, as a sample or a failure';
    },
  });
}

/** @param {Result} result @returns {Digest} */
export function digest(result) {
  const { plan, trials, statusBefore, ending } = result;
  const { floorMs, rows, verdict } = createReport(result);
  const row = rows.find(({ transport }) => transport === challengerOf(plan));
  const answered = statusBefore ?? trials.find(({ server }) => server)?.server;
  return {
    ...digestOfRun(result, { answered, headline: () => verdict.headline, detail: () => verdict.detail }),
    headline: verdict.headline,
    plan,
    floorMs,
    comparison: ending || !row?.comparison ? undefined : summaryOf(row.comparison),
  };
}

/** Without what its samples tell. @param {Comparison} comparison @returns {Omit<Comparison, 'centres'>} */
function summaryOf({ centres: _, ...summary }) {
  return summary;
}
