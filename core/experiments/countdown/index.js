/**
 * The experiment of 2019: a count is sent, comes back one lower, and is sent again until it is 0, by XHR or by a
 * WebSocket. Its time is from the first message sent to the last answer. The WebSocket is opened before; XHR cannot, so
 * the first request's connection counts.
 */
import { faultOfRecord, lone } from '../../experiment/lone-trials.js';
import { labelOf } from '../../experiment/labels.js';
import { measurement } from './measure.js';
import { ENDPOINTS, FIELDS, formatLink, ITERATIONS, KINDS } from './plan.js';
import { report } from './report.js';
import { headSchema, SCHEMA, trialSchema } from './schema.js';
import { formatSubmissionCsv, isSubmission, SUBMISSION_SCHEMA, submissionSchemaOf } from './submission.js';
import { summarize } from './summary.js';

/**
 * @import { DocumentFields, Valibot } from '../../experiment/document-fields.js'
 * @import { Choice } from './plan.js'
 * @import { CountdownTest } from './schema.js'
 */

const own = lone({
  ...measurement,
  name: 'countdown',
  label: 'Count-down of 2019',
  path: '/countdown',
  question: 'How does XHR compare with WebSocket when the server answers each number with the one below it?',
  fields: FIELDS,
  linkPath: (/** @type {Choice} */ plan) => `/countdown?${formatLink(plan)}`,
  describePlan: (/** @type {Choice} */ { iterations, kind }) =>
    `${KINDS[kind].label}, counted down from ${iterations}.`,
  describeTrial: ({ transport }) => labelOf(transport),
  schema: [SCHEMA, SUBMISSION_SCHEMA],
  moreSchema: (v, fields) => headSchema(v, fields).entries,
  trialSchema,
  records: 'tests',
  planOf: (document) => summarize(document).choice,
  faultOf: (/** @type {CountdownTest} */ test) =>
    faultOfRecord(
      test,
      Object.hasOwn(ENDPOINTS, test.trial.transport) && test.trial.iterations <= ITERATIONS.max,
      `a test by ${Object.keys(ENDPOINTS).join(' or ')} of at most ${ITERATIONS.max} iterations that`,
    ),
  find(document) {
    const summary = summarize(document);
    return { summary, report: report(summary) };
  },
  needsPage: true,
});

/** The count-down of 2019, as measured here, and as the app of 2019 shared it. */
export const countdown = Object.freeze({
  ...own,
  schemaOf: (/** @type {Valibot} */ v, /** @type {DocumentFields} */ fields) =>
    v.variant('schema', [/** @type {any} */ (own.schemaOf(v, fields)), submissionSchemaOf(v, fields)]),
  problemOf: (/** @type {any} */ document) => (isSubmission(document) ? undefined : own.problemOf(document)),
  formatCsv: (/** @type {any} */ document) =>
    isSubmission(document) ? formatSubmissionCsv(document) : own.formatCsv(document),
});

export default countdown;
