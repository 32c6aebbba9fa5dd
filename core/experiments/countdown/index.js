/**
 * The experiment of 2019: a count is sent, comes back one lower, and is sent again until it is 0, by XHR or by a
 * WebSocket. Its time is from the first message sent to the last answer. The WebSocket is opened before; XHR cannot, so
 * the first request's connection counts.
 */
import { createFind } from '../../experiment/report/find.js';
import { readTrial } from '../../experiment/run/echo-trials.js';
import { faultOfLone, formatCsv, LONE_FINDINGS } from '../../experiment/documents/lone-trials.js';
import { labelOf } from '../../experiment/answer/labels.js';
import { measurement } from './measure.js';
import { ENDPOINTS, FIELDS, formatLink, ITERATIONS, KINDS } from './plan.js';
import { report } from './report.js';
import { openOwn, openStored, SCHEMA, schemaOf, trialSchema } from './schema.js';
import { formatSubmissionCsv, isSubmission, SUBMISSION_SCHEMA } from './submission.js';
import { summarize } from './summary.js';

/**
 * @import { Experiment } from '../../experiment/contract.js'
 * @import { Choice } from './plan.js'
 * @import { CountdownTrial } from './schema.js'
 */

/** The count-down of 2019, as measured here, and as the app of 2019 shared it. @satisfies {Experiment} */
export const countdown = Object.freeze({
  ...measurement,
  name: 'countdown',
  label: 'Count-down of 2019',
  path: '/countdown',
  question: 'How does XHR compare with WebSocket when the server answers each number with the one below it?',
  fields: FIELDS,
  linkPath: (/** @type {Choice} */ plan) => `/countdown?${formatLink(plan)}`,
  describePlan: (/** @type {Choice} */ { iterations, kind }) =>
    `${KINDS[kind].label}, counted down from ${iterations}.`,
  progressOf: ({ transport, iterations }) => ({ label: labelOf(transport), totalCount: iterations }),
  schema: [SCHEMA, SUBMISSION_SCHEMA],
  schemaOf,
  openStored,
  readTrial,
  trialSchema,
  faultOf: (/** @type {CountdownTrial} */ test) =>
    // Another client may have named other transports.
    test.elapsedMs !== undefined
      ? undefined
      : faultOfLone(
          test,
          Object.hasOwn(ENDPOINTS, test.transport) && test.iterations <= ITERATIONS.max,
          `a test by ${Object.keys(ENDPOINTS).join(' or ')} of at most ${ITERATIONS.max} iterations that`,
        ),
  find: createFind({ ...LONE_FINDINGS, summarize, report }),
  formatCsv: (/** @type {any} */ document) =>
    isSubmission(document) ? formatSubmissionCsv(document) : formatCsv(openOwn(document)),
});

export default countdown;
