import { describeJobsPlan, formatJobsPlan, parseJobsPlan } from '../../../core/experiments/jobs/plan.js';
import { describeClocks, describeJobs, formatJobsMarkdown } from '../../../core/experiments/jobs/report.js';
import { tabulateJobs } from '../../../core/experiments/jobs/tables.js';
import { jobs as measurement } from '../../../core/experiments/jobs/measure.js';
import { createJobsChart } from '../charts/jobs-chart.js';
import { createJobsDetails } from '../ui/jobs/jobs-details.js';

/**
 * Poll or push, as pages show it.
 *
 * @type {import('../experiment-page.js').ShownExperiment<import('../../../core/experiments/jobs/plan.js').JobsPlan,
 *   import('../../../core/experiments/jobs/measure.js').JobsTrial>}
 */
export const jobs = {
  measurement,
  path: '/polltest',
  fileName: 'sockshootout-poll-or-push',
  parsePlan: parseJobsPlan,
  formatPlan: formatJobsPlan,
  describePlan: describeJobsPlan,
  report: (document) => {
    const whole = asWhole(document);
    const words = describeJobs(whole).join('\n');
    return {
      words,
      // It says no more then than how each way did.
      endedWords: words,
      notes: describeClocks(whole).join(' '),
      ...tabulateJobs(whole).soon,
    };
  },
  createChart: (uPlot, document) => createJobsChart(uPlot, asWhole(document)),
  createDetails() {
    const details = createJobsDetails();
    return { show: (document) => details.show(asWhole(document)) };
  },
  formatMarkdown: (document) => formatJobsMarkdown(asWhole(document)),
};

/**
 * More is measured than the trials: the round trip, and what the server does by itself.
 *
 * @param {import('../experiment-page.js').ExperimentDocument<import('../../../core/experiments/jobs/plan.js').JobsPlan,
 *   import('../../../core/experiments/jobs/measure.js').JobsTrial>} document
 */
const asWhole = (document) => /** @type {import('../../../core/experiments/jobs/report.js').JobsDocument} */ (document);
