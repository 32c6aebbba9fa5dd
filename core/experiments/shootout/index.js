/** The run of the home page, or of the command line: every transport echoes the same messages. */
import { areCounted, isAccountedFor } from '../../experiment/documents/fields.js';
import { MAX_SAMPLES, schemaOfFields } from '../../experiment/fields.js';
import { digestOfRun, planned } from '../../experiment/planned.js';
import { sampleColumns, sampleRows } from '../../experiment/trials.js';
import { labelOf, LABELS } from '../../net/labels.js';
import { measurement } from './measure.js';
import { describePlan, FIELDS, parsePlan, PRESETS, sampleCountOf } from './plan.js';
import { createReport } from './report.js';
import { report } from './tables.js';
import { challengerOf } from './verdict.js';

/**
 * @import { RunTrial } from '../../net/echo/trial.js'
 * @import { Comparison } from '../../experiment/compare.js'
 * @import { Digest } from '../../experiment/contract.js'
 * @import { Fields, Valibot } from '../../experiment/documents/fields.js'
 * @import { Result } from './measure.js'
 * @import { Plan } from './plan.js'
 */

export const shootout = planned({
  ...measurement,
  name: 'shootout',
  label: 'Shootout',
  path: '/',
  fields: FIELDS,
  presets: Object.keys(PRESETS).map((label) => ({ label, plan: `preset=${label}` })),
  parsePlan: (query, { seed }) => parsePlan(query, seed),
  describePlan,
  describeTrial: ({ transport }) => labelOf(transport),
  messageCountOf: (_, { iterations }) => iterations,
  hasChart: true,
  planSchema,
  trialKeys: ['block', 'transport'],
  trialSchema: (v, { count, ms, echo }) => v.strictObject({ block: count, startedAtMs: ms, ...echo }),
  moreSchema,
  faultOf,
  sampleColumns,
  sampleRows,
  digest,
  summarize: createReport,
  report,
});

/** @param {Valibot} v */
function planSchema(v) {
  return v.pipe(
    v.strictObject(schemaOfFields(v, FIELDS)),
    v.check(
      (plan) => sampleCountOf(/** @type {any} */ (plan)) <= MAX_SAMPLES,
      `expected at most ${MAX_SAMPLES} samples`,
    ),
  );
}

/** @param {Valibot} v @param {Fields} fields */
function moreSchema(v, { ms }) {
  const times = v.pipe(v.array(ms), v.maxLength(100));
  return {
    coldSetUpMs: v.strictObject(Object.fromEntries(Object.keys(LABELS).map((name) => [name, v.optional(ms)]))),
    preflight: v.optional(v.strictObject({ firstMs: times, secondMs: times })),
  };
}

/** @param {RunTrial} trial @param {{ plan: Plan, isCut: boolean }} run */
function faultOf(trial, { plan, isCut }) {
  const isWhole = isAccountedFor(trial.samples, trial.failures, plan.iterations, isCut);
  if (isWhole && areCounted(trial, plan)) return undefined;
  return 'expected each message once, as a sample or a failure';
}

/** @param {Result} result @returns {Digest} */
function digest(result) {
  const { plan, trials, statusBefore, ending } = result;
  const { floorMs, rows, verdict } = createReport(result);
  const row = rows.find(({ transport }) => transport === challengerOf(plan));
  const answered = statusBefore ?? trials.find(({ server }) => server)?.server;
  const { headline, detail } = verdict;
  return {
    ...digestOfRun(result, { answered, headline, detail }),
    headline,
    plan,
    floorMs,
    comparison: ending || !row?.comparison ? undefined : summaryOf(row.comparison),
  };
}

/** Without what its samples tell. @param {Comparison} comparison @returns {Digest['comparison']} */
const summaryOf = ({ centres: _, ...summary }) => summary;
