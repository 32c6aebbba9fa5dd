import { lone } from '../../experiment/lone-trials.js';
import { labelOf } from '../../net/echo/labels.js';
import { formatMarkdown, fromDocument, report, schemaOf } from './export.js';
import { describeMeans, ENDPOINTS, FIELDS, formatLink, ITERATIONS, KINDS, measurement } from './measure.js';

/**
 * @import { CountdownResult, CountdownTest } from './export.js'
 * @import { Choice } from './measure.js'
 */

/** The count-down of 2019. */
export const countdown = lone({
  ...measurement,
  name: 'countdown',
  label: 'Count-down of 2019',
  path: '/countdown',
  intro: 'How does XHR compare with WebSocket when the server answers each number with the one below it?',
  fields: FIELDS,
  linkPath: (/** @type {Choice} */ plan) => `/countdown?${formatLink(plan)}`,
  describePlan: (/** @type {Choice} */ { iterations, kind }) =>
    `${KINDS[kind].label}, counted down from ${iterations}.`,
  describeTrial: ({ transport }) => labelOf(transport),
  schemaOf,
  records: 'tests',
  fromDocument,
  planOf: ({ choice }) => choice,
  isOwn: (/** @type {CountdownTest} */ { trial }) =>
    Object.hasOwn(ENDPOINTS, trial.transport) && trial.iterations <= ITERATIONS.max,
  ownWords: () => `a test by ${Object.keys(ENDPOINTS).join(' or ')} of at most ${ITERATIONS.max} iterations that`,
  headlineOf: (/** @type {CountdownResult} */ { tests }) => ({
    headline: `${tests.length} ${tests.length === 1 ? 'test' : 'tests'} of the count-down`,
    detail: describeMeans(tests),
  }),
  report,
  formatResult: formatMarkdown,
});
