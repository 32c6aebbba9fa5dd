import { formatSamplesCsv } from '../../experiment/documents/samples-csv.js';
import { digest, problemOf, schemaOf } from './document.js';
import { formatMarkdown } from './markdown.js';
import { measurement } from './measure.js';
import { formatPlan } from './plan.js';
import { createReport } from './report.js';

/** @import { Experiment } from '../../experiment/contract.js' */

/**
 * Every transport echoes the same messages: the run of the home page.
 *
 * @satisfies {Experiment}
 */
export const shootout = Object.freeze({
  ...measurement,
  name: 'shootout',
  label: 'Shootout',
  hasChart: true,
  schemaOf,
  problemOf,
  digest,
  formatCsv: formatSamplesCsv,
  formatMarkdown: (document) => formatMarkdown(createReport(document)),
  planPath: ({ plan }) => `/?${formatPlan(plan)}`,
});
