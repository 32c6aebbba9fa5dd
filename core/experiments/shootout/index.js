/**
 * Describes the shootout: every transport echoes the same messages back-to-back, in turn, so that drifts affect all of
 * them alike.
 */
import { capitalize, formatCount } from '../../base/format.js';
import { createFind } from '../../experiment/report/find.js';
import { formatCsv, readTrial } from '../../experiment/run/echo-trials.js';
import { answerJudged } from '../../experiment/answer/answer.js';
import { labelOf } from '../../experiment/answer/labels.js';
import { describePlanned } from '../../experiment/plan/blocks.js';
import { comparisonPart } from './comparison.js';
import { digestOf, digestSchema, summarize } from './summary.js';
import { fullTest } from './full-test.js';
import { live } from './live.js';
import { measurement } from './measure.js';
import { baselineOf, checkPlan, FIELDS, PRESETS } from './plan.js';
import { report } from './report.js';
import { faultOf, schemaOf, trialSchema } from './schema.js';
import { trustOf } from './trust.js';

/**
 * @import { Ending, Experiment, ExperimentDocument } from '../../experiment/contract.js'
 * @import { RunTrial } from '../../net/echo/trial.js'
 * @import { Costs } from './measure.js'
 * @import { Plan } from './plan.js'
 * @import { Summary } from './summary.js'
 * @typedef {ExperimentDocument<Plan, RunTrial> & Costs} Result
 */

/** @param {Summary} summary */
const answersOf = ({ baseline, rows }) =>
  rows
    .filter(({ transport }) => transport !== baseline)
    .map(({ transport, comparison: { speedRatio: ratio, ...judged } = {} }) =>
      answerJudged({ subject: transport, baseline, unit: 'times-as-fast' }, { ...judged, ratio }),
    );

/** @param {Summary} summary @param {{ ending?: Ending }} run */
const failureOf = ({ verdict: { headline, detail, name } }, { ending }) =>
  name === 'none' ? `${headline}. ${ending?.reason ?? detail}` : undefined;

/** The transfer of a payload is a part of its round trips. @param {Result} run @returns {number[]} ms */
const roundTripsOf = ({ plan, trials }) =>
  plan.payloadBytes > 0 ? [] : trials.flatMap(({ samples }) => samples.roundTripMs);

/** @param {Result} run @returns {number[]} ms, of what the page uses now */
const requestsOf = ({ plan, trials }) =>
  trials.filter(({ transport }) => transport === baselineOf(plan)).flatMap(({ samples }) => samples.roundTripMs);

/** What measures a run, and reports it: all that most pages need. @satisfies {Experiment} */
export const withoutComparison = Object.freeze({
  ...measurement,
  name: 'shootout',
  label: fullTest.question,
  question: 'Is SockJS faster than AJAX, and by how much?',
  path: '/',
  fields: FIELDS,
  presets: Object.keys(PRESETS).map((label) => ({ label, plan: `preset=${label}` })),
  describePlan: ({ transports, iterations, ...plan }) =>
    `${capitalize(describePlanned(plan))}${plan.looks ? ', until the answer is clear' : ''}. Each sends ${formatCount(iterations, 'message')} per transport (${transports.map(labelOf).join(', ')}), in random order.`,
  progressOf: ({ transport }, { iterations }) => ({ label: labelOf(transport), totalCount: iterations }),
  checkPlan,
  live,
  trialSchema,
  schemaOf,
  faultOf,
  readTrial,
  formatCsv,
  failsIf: 'the run gives no verdict, for example because it is invalid or stopped',
  compares: true,
  find: createFind({ summarize, report, roundTripsOf, trustOf, answersOf, requestsOf, failureOf, digestOf }),
  fullTest,
});

/**
 * The whole experiment. A bundler leaves out what comparisons and digests of runs add where only the other is imported, which it would
 * not if an object were spread.
 */
export const shootout = /* @__PURE__ */ Object.freeze(
  /* @__PURE__ */ Object.assign({}, withoutComparison, { comparisonPart, digestSchema }),
);

export default shootout;
