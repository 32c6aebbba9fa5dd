import { digest, formatCsv, problemOf, schemaOf } from './document.js';
import { measurement } from './measure.js';
import { describeDepthPlan, formatDepthPlan, parseDepthPlan } from './plan.js';
import { COLUMNS, describeDepths, formatDepthMarkdown, summarizeDepths } from './report.js';

/**
 * @import { Experiment, Planned, Report } from '../../experiment/contract.js'
 * @import { DepthDocument } from './document.js'
 * @import { DepthPlan } from './plan.js'
 */

/**
 * The same echo, with more and more messages on their way at once.
 *
 * @satisfies {Experiment & Planned<DepthPlan>}
 */
export const inFlight = Object.freeze({
  ...measurement,
  name: 'in-flight',
  label: 'Messages in flight',
  path: '/inflight',
  hasChart: true,
  schemaOf,
  problemOf,
  digest,
  formatCsv,
  formatMarkdown: formatDepthMarkdown,
  planPath: ({ plan }) => `/inflight?${formatDepthPlan(plan)}`,
  parsePlan: parseDepthPlan,
  formatPlan: formatDepthPlan,
  describePlan: describeDepthPlan,
  report,
});

/**
 * @param {DepthDocument} document
 * @returns {Report}
 */
function report({ plan, trials }) {
  const rows = summarizeDepths(plan, trials);
  return { words: describeDepths(rows).join(' '), notes: '', table: { columns: COLUMNS, rows } };
}
