import { describeJobsPlan, formatJobsPlan, parseJobsPlan } from '../../core/experiments/jobs-plan.js';
import {
  describeClocks,
  describeJobs,
  formatJobsMarkdown,
  formatJobsRow,
  isTextColumn,
  summarizeJobs,
  TITLES,
} from '../../core/experiments/jobs-report.js';
import { SCHEMA } from '../../core/experiments/jobs.js';
import { labelOfWay } from '../../core/ways/labels.js';
import { createJobsChart } from '../ui/jobs-chart.js';
import { createJobsDetails } from '../ui/jobs-details.js';

/** What a browser holds to a server over HTTP/1.1. */
const MOST_CONNECTIONS = 6;

/**
 * Poll or push, as pages show it.
 *
 * @type {import('../experiment-page.js').ShownExperiment<import('../../core/experiments/jobs-plan.js').JobsPlan,
 *   import('../../core/experiments/jobs.js').JobsTrial>}
 */
export const jobs = {
  schema: SCHEMA,
  path: '/polltest',
  fileName: 'sockshootout-poll-or-push',
  parsePlan: parseJobsPlan,
  formatPlan: formatJobsPlan,
  describePlan: describeJobsPlan,
  report: (document) => {
    const whole = asWhole(document);
    return {
      words: [...describeJobs(whole), ...describeSharing(whole)].join('\n'),
      notes: describeClocks(whole).join(' '),
      titles: TITLES,
      isTextColumn,
      rows: summarizeJobs(whole).map(formatJobsRow),
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
 * @param {import('../experiment-page.js').ExperimentDocument<import('../../core/experiments/jobs-plan.js').JobsPlan,
 *   import('../../core/experiments/jobs.js').JobsTrial>} document
 */
const asWhole = (document) => /** @type {import('../../core/experiments/jobs-report.js').JobsDocument} */ (document);

/**
 * What a page's users have in common is no fault of the way.
 *
 * @param {import('../../core/experiments/jobs-report.js').JobsDocument} document
 * @returns {string[]} a sentence; none where no request had to wait for another
 */
function describeSharing({ plan: { users, jobs: jobCount }, trials, environment }) {
  if (new URL(environment.url).pathname !== jobs.path) return [];
  /** @type {Record<string, number>} how many requests are open at once */
  const openCounts = { 'long-poll': users * jobCount, sse: users };
  const shared = trials.filter(({ way, protocol }) => protocol === 'http/1.1' && openCounts[way] > MOST_CONNECTIONS);
  if (shared.length === 0) return [];
  const names = shared.map(({ way }) => labelOfWay(way)).join(' and ');
  return [
    `${names}: all users of this page shared the six connections that a browser holds to a server over HTTP/1.1, and waiting for one of them is in the lag. Users with browsers of their own, or HTTP/2, would not have that.`,
  ];
}
