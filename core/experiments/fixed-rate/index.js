import { digest, formatCsv, problemOf, schemaOf } from './document.js';
import { measurement } from './measure.js';
import { describeFixedRatePlan, formatFixedRatePlan, parseFixedRatePlan } from './plan.js';
import { COLUMNS, describeFixedRate, describeOmission, formatFixedRateMarkdown, summarizeFixedRate } from './report.js';

/**
 * @import { Experiment, Planned, Report } from '../../experiment/contract.js'
 * @import { FixedRateDocument } from './document.js'
 * @import { FixedRatePlan } from './plan.js'
 */

/**
 * Messages by a timetable, beside the back-to-back loop.
 *
 * @satisfies {Experiment & Planned<FixedRatePlan>}
 */
export const fixedRate = Object.freeze({
  ...measurement,
  name: 'fixed-rate',
  label: 'Fixed rate',
  path: '/fixedrate',
  hasChart: true,
  schemaOf,
  problemOf,
  digest,
  formatCsv,
  formatMarkdown: formatFixedRateMarkdown,
  planPath: ({ plan }) => `/fixedrate?${formatFixedRatePlan(plan)}`,
  parsePlan: parseFixedRatePlan,
  formatPlan: formatFixedRatePlan,
  describePlan: describeFixedRatePlan,
  report,
});

/**
 * @param {FixedRateDocument} document
 * @returns {Report}
 */
function report({ plan, trials }) {
  return {
    words: describeFixedRate(plan, trials).join(' '),
    notes: describeOmission(plan),
    table: { columns: COLUMNS, rows: summarizeFixedRate(plan, trials) },
  };
}
