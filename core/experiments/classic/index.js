import { digest, formatCsv, problemOf, schemaOf } from './document.js';
import { formatMarkdown, fromDocument, report } from './export.js';
import { measurement } from './measure.js';
import { describePlan, FIELDS, formatPlan, linkPath, parsePlan, planOf } from './plan.js';

/** @import { Experiment } from '../../experiment/contract.js' */

/**
 * The test of 2012.
 *
 * @satisfies {Experiment}
 */
export const classic = Object.freeze({
  ...measurement,
  name: 'classic',
  label: 'Classic test of 2012',
  fields: FIELDS,
  parsePlan,
  formatPlan,
  linkPath,
  describePlan,
  describeTrial: ({ iterations }) => `${iterations} iterations`,
  messageCountOf: ({ iterations }) => iterations,
  hasChart: false,
  schemaOf,
  problemOf,
  digest,
  formatCsv,
  summarize: fromDocument,
  report,
  formatMarkdown: (document) => formatMarkdown(fromDocument(document)),
  planPath: (document) => linkPath(planOf(document)),
});
