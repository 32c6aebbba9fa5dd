/** The test of 2012. */
import { DIGEST_LIMITS } from '../../experiment/documents/digest.js';
import { createFind } from '../../experiment/report/find.js';
import { readTrial } from '../../experiment/run/echo-trials.js';
import { faultOfLone, formatCsv, LONE_FINDINGS } from '../../experiment/documents/lone-trials.js';
import { labelOf } from '../../experiment/answer/labels.js';
import { comparisonPart } from './comparison.js';
import { measurement } from './measure.js';
import { describePlan, FIELDS, linkPath } from './plan.js';
import { report } from './report.js';
import { openStored, schemaOf, trialSchema } from './schema.js';
import { summarize } from './summary.js';

/** @import { Experiment } from '../../experiment/contract.js' */
/** @import { Valibot } from '../../base/valibot.js' */
/** @import { ClassicResult, ClassicTrial } from './schema.js' */

/** Its first runs. @param {Valibot} v */
function digestSchema(v) {
  const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
  const runs = v.array(v.strictObject({ iterations: count, elapsedMs: v.optional(count) }));
  return v.pipe(runs, v.maxLength(DIGEST_LIMITS.listLength), v.description('The first runs of a classic test'));
}

/** @param {ClassicResult} result */
const digestOf = ({ runs }) => runs.map(({ trial: { iterations }, elapsedMs }) => ({ iterations, elapsedMs }));

/** @satisfies {Experiment} */
export const classic = Object.freeze({
  ...measurement,
  name: 'classic',
  label: 'Classic test of 2012',
  question: 'How many messages per second do AJAX and SockJS exchange in the tests of 2012?',
  fields: FIELDS,
  linkPath,
  describePlan,
  progressOf: ({ iterations }) => ({ label: `${iterations} iterations`, totalCount: iterations }),
  schemaOf,
  openStored,
  readTrial,
  trialSchema,
  faultOf: (/** @type {ClassicTrial} */ trial, { plan: { transport } }) =>
    faultOfLone(
      trial,
      trial.transport === transport && trial.clickedAtMs <= trial.startedAtMs,
      `a run by ${labelOf(transport)} that began after its click and`,
    ),
  digestSchema,
  find: createFind({ ...LONE_FINDINGS, summarize, report, digestOf }),
  formatCsv: (document) => formatCsv(openStored(document)),
  comparisonPart,
});

export default classic;
