import { digest, formatCsv, problemOf, schemaOf } from './document.js';
import { measurement } from './measure.js';
import { describeJobsPlan, formatJobsPlan, parseJobsPlan } from './plan.js';
import { PLANNER_FIELDS } from './planner.js';
import { describeClocks, describeJobs, formatJobsMarkdown } from './report.js';
import { tabulateJobs } from './tables.js';

/**
 * @import { Experiment, Planned, Report } from '../../experiment/contract.js'
 * @import { JobsPlan } from './plan.js'
 * @import { JobsDocument } from './summary.js'
 */

/**
 * How a client learns that a job is done, and what that costs.
 *
 * @satisfies {Experiment & Planned<JobsPlan>}
 */
export const jobs = Object.freeze({
  ...measurement,
  name: 'jobs',
  label: 'Poll or push',
  path: '/polltest',
  hasChart: true,
  viewData: { planner: PLANNER_FIELDS },
  schemaOf,
  problemOf,
  digest,
  formatCsv,
  formatMarkdown: formatJobsMarkdown,
  planPath: ({ plan }) => `/polltest?${formatJobsPlan(plan)}`,
  parsePlan: parseJobsPlan,
  formatPlan: formatJobsPlan,
  describePlan: describeJobsPlan,
  report,
});

/**
 * @param {JobsDocument} document
 * @returns {Report}
 */
function report(document) {
  const words = describeJobs(document).join('\n');
  return {
    words,
    // It says no more then than how each way did.
    endedWords: words,
    notes: describeClocks(document).join(' '),
    table: tabulateJobs(document).soon,
  };
}
