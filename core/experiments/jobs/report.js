/**
 * What poll or push comes to, as pages, exports and the command line show it: words, notes, a table.
 */
import { DASH, formatInterval, formatNumber, formatSigned } from '../../base/format.js';
import { labelOfWay } from '../../net/delivery/labels.js';
import { formatExperimentMarkdown } from '../../experiment/markdown.js';
import { describeClocks, describePublished, describeRun } from './notes.js';
import { formatJobsPlan } from './plan.js';
import { summarizeJobs } from './summary.js';
import { describeJobs, headlineOfJobs } from './words.js';

/**
 * @import { Interval } from '../../base/statistics/mean-interval.js'
 * @import { JobsDocument, JobsRow } from './summary.js'
 */

export { describeClocks, describePublished, describeRun } from './notes.js';
export { sortedLags, summarizeJobs } from './summary.js';
export { describeJobs, headlineOfJobs } from './words.js';

export const TITLES = Object.freeze([
  'Way',
  'Protocol',
  'Lag p50, ms',
  'Lag p95, ms',
  'Lag max, ms',
  'Mean lag, ms (95 % interval of polling’s)',
  'Mean lag predicted, ms',
  'Mean lag above the baseline’s, ms (95 % interval of polling’s)',
  'Polls a job',
  'Polls a job predicted',
  'Period, ms',
  'Requests and messages a job',
  'Bytes up a job',
  'Bytes down a job',
  'kB a job',
  'kB a job in 2018',
  'Bytes, times the baseline’s',
  'Server CPU a job, ms',
  'Server CPU a job in 2018, ms',
  'CPU, times the baseline’s',
  'Told',
  'Late',
  'Failed',
]);

/** @param {number} column of {@link TITLES} */
export const isTextColumn = (column) => column < 2;

/**
 * @param {JobsRow} row
 * @returns {string[]} a cell for each of {@link TITLES}
 */
export function formatJobsRow(row) {
  const { way, lag, lagDecimals, ratios = {}, bytesPerJob, prediction, published, isBaseline } = row;
  const against = (/** @type {string} */ cell) => (isBaseline ? 'baseline' : cell);
  const formatLag = (/** @type {number | undefined} */ ms) => (ms === undefined ? DASH : formatSigned(ms, lagDecimals));
  const formatMean = (/** @type {Interval | undefined} */ mean) =>
    mean && way === 'poll'
      ? `${formatLag(mean.estimate)} (${formatInterval(mean, 0, lagDecimals)})`
      : formatLag(mean?.estimate);
  return [
    labelOfWay(way, row.intervalMs),
    row.protocol ?? DASH,
    ...[lag.p50Ms, lag.p95Ms, lag.maxMs].map(formatLag),
    formatMean(lag.meanMs),
    formatLag(prediction.meanLagMs),
    against(ratios.lagMs ? formatMean(ratios.lagMs) : formatLag(ratios.aboveMs)),
    formatNumber(row.pollsPerJob, 2),
    formatNumber(prediction.pollsPerJob, 2),
    formatNumber(row.periodMs, 0),
    formatNumber(row.requestsPerJob, 2),
    formatNumber(bytesPerJob?.up, 0),
    formatNumber(bytesPerJob?.down, 0),
    row.bytesFault ?? formatNumber(bytesPerJob && bytesPerJob.both / 1000, 2),
    formatNumber(published?.kBPerJob, 2),
    against(formatNumber(ratios.bytes, 2)),
    row.cpuFault ?? formatNumber(row.cpuMsPerJob, 3),
    formatNumber(published?.cpuMsPerJob, 2),
    against(formatNumber(ratios.cpu, 2)),
    ...[row.toldCount, row.lateCount, row.failureCount].map(String),
  ];
}

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
    titles: TITLES,
    isTextColumn,
    rows: summarizeJobs(document).map(formatJobsRow),
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
