/**
 * What poll or push comes to, as pages, exports and the command line show it: words and notes beside the tables.
 */
import { formatExperimentMarkdown } from '../../experiment/markdown.js';
import { describeClocks, describePublished, describeRun } from './notes.js';
import { formatJobsPlan } from './plan.js';
import { tabulateJobs } from './tables.js';
import { describeJobs, headlineOfJobs } from './words.js';

/** @import { JobsDocument } from './summary.js' */

export { describeClocks, describePublished, describeRun } from './notes.js';
export { sortedLags, summarizeJobs } from './summary.js';
export { describeJobs, headlineOfJobs } from './words.js';

/**
 * @param {JobsDocument} document
 * @param {{ planWords?: string }} [options] how the plan is repeated where no link leads to it
 * @returns {string}
 */
export function formatJobsMarkdown(document, { planWords } = {}) {
  const { plan, ending } = document;
  const words = describeJobs(document);
  return formatExperimentMarkdown({
    heading: `SockShootout, poll or push: ${plan.users} x ${plan.jobs} jobs`,
    table: tabulateJobs(document).all,
    head: [describeRun(document), ...(ending ? words : [])].join(' '),
    sentences: [headlineOfJobs(document), ...words, ...describeClocks(document), ...describePublished(document)],
    planWords: planWords ?? linkOfJobs(document),
    document,
  });
}

/**
 * @param {JobsDocument} document
 * @returns {string} to the page with the plan
 */
export function linkOfJobs({ environment: { url }, plan }) {
  return `${new URL('/polltest', url).href}?${formatJobsPlan(plan)}`;
}
