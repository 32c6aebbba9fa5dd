/**
 * The figures of polling and push.
 */
import { DASH, formatInterval, formatSigned } from '../../base/format.js';
import { fixed } from '../../experiment/table.js';
import { labelOfWay } from '../../net/delivery/labels.js';

/**
 * @import { Interval } from '../../base/statistics/mean-interval.js'
 * @import { Column, Table } from '../../experiment/table.js'
 * @import { JobsRow } from './summary.js'
 */

/** How soon clients find out. @type {readonly Column<JobsRow>[]} */
const LAGS = [
  { title: 'Delivery method', isText: true, isKey: true, value: ({ way, intervalMs }) => labelOfWay(way, intervalMs) },
  { title: 'Protocol', isText: true, value: ({ protocol }) => protocol },
  { title: 'Latency p50', name: 'p50_ms', unit: 'ms', value: (row) => formatLag(row, row.lag.p50Ms) },
  { title: 'Latency p95', name: 'p95_ms', unit: 'ms', value: (row) => formatLag(row, row.lag.p95Ms) },
  { title: 'Latency max', name: 'max_ms', unit: 'ms', value: (row) => formatLag(row, row.lag.maxMs) },
  {
    title: 'Mean latency, ms (95% CI for polling)',
    name: 'mean_ms',
    value: (row) => formatMean(row, row.lag.meanMs),
  },
  { title: 'Predicted mean latency', unit: 'ms', value: (row) => formatLag(row, row.prediction.meanLagMs) },
  {
    title: 'Difference to baseline, ms (95% CI for polling)',
    name: 'above_baseline_ms',
    value(row) {
      const { isBaseline, ratios } = row;
      if (isBaseline) return 'baseline';
      return ratios?.lagMs ? formatMean(row, ratios.lagMs) : formatLag(row, ratios?.aboveMs);
    },
  },
  { title: 'Polls per job', name: 'polls_per_job', value: ({ pollsPerJob }) => pollsPerJob, format: fixed(2) },
  { title: 'Predicted polls per job', value: ({ prediction }) => prediction.pollsPerJob, format: fixed(2) },
  { title: 'Period', name: 'period_ms', unit: 'ms', value: ({ periodMs }) => periodMs, format: fixed(0) },
];

/** And what that costs. @type {readonly Column<JobsRow>[]} */
const COSTS = [
  { title: 'Requests and messages per job', value: ({ requestsPerJob }) => requestsPerJob, format: fixed(2) },
  { title: 'Bytes sent per job', value: ({ bytesPerJob }) => bytesPerJob?.up, format: fixed(0) },
  { title: 'Bytes received per job', value: ({ bytesPerJob }) => bytesPerJob?.down, format: fixed(0) },
  {
    title: 'kB per job',
    value: ({ bytesFault, bytesPerJob }) => bytesFault ?? (bytesPerJob && fixed(2)(bytesPerJob.both / 1000)),
  },
  { title: 'kB per job in 2018', value: ({ published }) => published?.kBPerJob, format: fixed(2) },
  { title: 'Bytes, ratio to baseline', value: (row) => formatRatio(row, 'bytes') },
  {
    title: 'Server CPU per job',
    unit: 'ms',
    value: ({ cpuFault, cpuMsPerJob }) => cpuFault ?? cpuMsPerJob?.toFixed(3),
  },
  {
    title: 'Server CPU per job in 2018',
    unit: 'ms',
    value: ({ published }) => published?.cpuMsPerJob,
    format: fixed(2),
  },
  { title: 'CPU, ratio to baseline', value: (row) => formatRatio(row, 'cpu') },
];

/** @type {readonly Column<JobsRow>[]} */
const COUNTS = [
  { title: 'Notified', name: 'notified', value: ({ toldCount }) => toldCount },
  { title: 'Late', name: 'late', value: ({ lateCount }) => lateCount },
  { title: 'Failed', name: 'failures', value: ({ failureCount }) => failureCount },
];

/**
 * @param {readonly JobsRow[]} rows
 * @returns {(Table<JobsRow> & { heading: string })[]} two, as all columns would fit no screen
 */
export const tabulateJobs = (rows) => [
  { heading: 'Notification latency', columns: [...LAGS, ...COUNTS], rows },
  { heading: 'Cost per job', columns: [LAGS[0], ...COSTS], rows },
];

/** @param {JobsRow} row @param {number | undefined} ms */
function formatLag({ lagDecimals }, ms) {
  return ms === undefined ? DASH : formatSigned(ms, lagDecimals);
}

/** @param {JobsRow} row @param {Interval | undefined} mean */
function formatMean(row, mean) {
  const estimate = formatLag(row, mean?.estimate);
  return mean && row.way === 'poll' ? `${estimate} (${formatInterval(mean, 0, row.lagDecimals)})` : estimate;
}

/** @param {JobsRow} row @param {'bytes' | 'cpu'} of */
function formatRatio({ isBaseline, ratios }, of) {
  return isBaseline ? 'baseline' : ratios?.[of]?.toFixed(2);
}
