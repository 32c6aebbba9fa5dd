import { formatSamplesCsv } from '../../experiment/documents/samples-csv.js';
import { formatMarkdown } from '../../experiment/report.js';
import { labelOf } from '../../net/labels.js';
import { digest, problemOf, schemaOf } from './document.js';
import { measurement } from './measure.js';
import { describePlan, FIELDS, formatPlan, parsePlan, PRESETS } from './plan.js';
import { createReport } from './report.js';
import { report } from './shared-report.js';

/** @import { Experiment } from '../../experiment/contract.js' */

/** @type {Pick<Experiment, 'label' | 'summarize' | 'report' | 'linkPath' | 'planPath'>} */
const reported = {
  label: 'Shootout',
  summarize: createReport,
  report,
  linkPath: (plan) => `/?${formatPlan(plan)}`,
  planPath: ({ plan }) => reported.linkPath(plan),
};

/**
 * Every transport echoes the same messages: the run of the home page.
 *
 * @satisfies {Experiment}
 */
export const shootout = Object.freeze({
  ...measurement,
  ...reported,
  name: 'shootout',
  fields: FIELDS,
  presets: Object.keys(PRESETS).map((label) => ({ label, plan: `preset=${label}` })),
  parsePlan: (query, { seed }) => parsePlan(query, seed),
  formatPlan,
  describePlan,
  describeTrial: ({ transport }) => labelOf(transport),
  messageCountOf: (_, { iterations }) => iterations,
  hasChart: true,
  schemaOf,
  problemOf,
  digest,
  formatCsv: formatSamplesCsv,
  formatMarkdown: (document) => formatMarkdown(reported, document),
});
