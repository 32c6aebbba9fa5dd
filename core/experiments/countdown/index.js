import { formatFields, hasFields, parseFields } from '../../experiment/fields.js';
import { labelOf } from '../../net/labels.js';
import { digest, formatCsv, problemOf, schemaOf } from './document.js';
import { formatMarkdown, fromDocument, report } from './export.js';
import { FIELDS, formatLink, KINDS, measurement } from './measure.js';

/** @import { Experiment } from '../../experiment/contract.js' */

/** @type {Experiment['linkPath']} */
const linkPath = (plan) => `/countdown?${formatLink(plan)}`;

/**
 * The count-down of 2019.
 *
 * @satisfies {Experiment}
 */
export const countdown = Object.freeze({
  ...measurement,
  name: 'countdown',
  label: 'Count-down of 2019',
  path: '/countdown',
  intro: 'How does XHR compare with WebSocket when the server answers each number with the one below it?',
  fields: FIELDS,
  parsePlan: (query) => (hasFields(query, FIELDS) ? parseFields(query, FIELDS) : undefined),
  formatPlan: (plan) => formatFields(plan, FIELDS),
  linkPath,
  describePlan: ({ iterations, kind }) => `${KINDS[kind].label}, counted down from ${iterations}.`,
  describeTrial: ({ transport }) => labelOf(transport),
  messageCountOf: ({ iterations }) => iterations,
  hasChart: false,
  schemaOf,
  problemOf,
  digest,
  formatCsv,
  summarize: fromDocument,
  report,
  formatMarkdown: (document) => formatMarkdown(fromDocument(document)),
  planPath: ({ choice }) => linkPath(choice),
});
