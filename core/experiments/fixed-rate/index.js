import { digest, formatCsv, problemOf, schemaOf } from './document.js';
import { measurement } from './measure.js';
import { describeFixedRatePlan, formatFixedRatePlan, parseFixedRatePlan } from './plan.js';
import {
  describeFixedRate,
  describeOmission,
  formatFixedRateMarkdown,
  formatLatencyRow,
  isTextColumn,
  summarizeFixedRate,
  TITLES,
} from './report.js';

/** Messages by a timetable, beside the back-to-back loop.
 *
 * @satisfies {import('../../experiment/contract.js').Experiment & import('../../experiment/contract.js').Planned<import('./plan.js').FixedRatePlan>} */
export const fixedRate = Object.freeze({
  ...measurement,
  name: 'fixed-rate',
  label: 'Fixed rate',
  path: '/fixedrate',
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
 * @param {import('./document.js').FixedRateDocument} document
 * @returns {import('../../experiment/contract.js').Report}
 */
function report({ plan, trials }) {
  return {
    words: describeFixedRate(plan, trials).join(' '),
    notes: describeOmission(plan),
    titles: TITLES,
    isTextColumn,
    rows: summarizeFixedRate(plan, trials).map(formatLatencyRow),
  };
}
