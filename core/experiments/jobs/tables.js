/**
 * The figures of polling and push: a short table, and two with the rest.
 */
import { DASH, formatInterval, formatSigned } from '../../base/format.js';
import { SAME_PERCENT } from '../../experiment/compare.js';
import { fixed } from '../../experiment/table.js';
import { labelOfDelivery } from '../../net/delivery/labels.js';

/**
 * @import { Interval } from '../../base/statistics/mean-interval.js'
 * @import { Report } from '../../experiment/contract.js'
 * @import { Column } from '../../experiment/table.js'
 * @import { JobsRow } from './summary.js'
 */

/** @type {Column<JobsRow>} */
const DELIVERY = {
  title: 'Delivery method',
  isText: true,
  isKey: true,
  value: ({ delivery, intervalMs }) => labelOfDelivery(delivery, intervalMs),
};

/** @type {readonly Column<JobsRow>[]} */
const SHORT = [
  DELIVERY,
  {
    title: 'Mean latency, ms (95% CI)',
    name: 'mean_ms',
    value: (row) => formatWithCi(row, row.lag.meanMs, row.lag.interval),
  },
  { title: 'Latency compared with the baseline', value: describeVerdict },
  { title: 'Requests and messages per job', value: ({ requestsPerJob }) => requestsPerJob, format: fixed(2) },
  {
    title: 'kB per job',
    value: ({ bytesFault, bytesPerJob }) => (bytesFault ? 'not measured' : fixed(2)(Number(bytesPerJob?.both) / 1000)),
  },
];

/** @type {readonly Column<JobsRow>[]} */
const LATENCIES = [
  DELIVERY,
  { title: 'Protocol', isText: true, value: ({ protocol }) => protocol },
  { title: 'p50', name: 'p50_ms', unit: 'ms', value: (row) => formatLag(row, row.lag.p50Ms) },
  { title: 'p95', name: 'p95_ms', unit: 'ms', value: (row) => formatLag(row, row.lag.p95Ms) },
  { title: 'Max', name: 'max_ms', unit: 'ms', value: (row) => formatLag(row, row.lag.maxMs) },
  {
    title: 'Difference to baseline',
    name: 'above_baseline_ms',
    unit: 'ms',
    value: ({ isBaseline, comparison, ...row }) =>
      isBaseline ? 'baseline' : formatWithCi(row, comparison?.differenceMs, comparison?.differenceInterval),
  },
  { title: 'Predicted mean', unit: 'ms', value: (row) => formatLag(row, row.prediction.meanLagMs) },
  { title: 'Polls per job', name: 'polls_per_job', value: ({ pollsPerJob }) => pollsPerJob, format: fixed(2) },
  { title: 'Predicted polls per job', value: ({ prediction }) => prediction.pollsPerJob, format: fixed(2) },
  { title: 'Period', name: 'period_ms', unit: 'ms', value: ({ periodMs }) => periodMs, format: fixed(0) },
  { title: 'Notified', name: 'notified', value: ({ notifiedCount }) => notifiedCount },
  { title: 'Late', name: 'late', value: ({ lateCount }) => lateCount },
  { title: 'Failed', name: 'failures', value: ({ failureCount }) => failureCount },
];

/** @type {readonly Column<JobsRow>[]} */
const COSTS = [
  DELIVERY,
  { title: 'Bytes sent per job', value: ({ bytesPerJob }) => bytesPerJob?.up, format: fixed(0) },
  { title: 'Bytes received per job', value: ({ bytesPerJob }) => bytesPerJob?.down, format: fixed(0) },
  { title: 'kB per job in 2018', value: ({ published }) => published?.kBPerJob, format: fixed(2) },
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
];

/**
 * @param {readonly JobsRow[]} rows
 * @returns {Report['tables']}
 */
export const tabulateJobs = (rows) => [
  { columns: SHORT, rows },
  { heading: 'Latency and polls', columns: LATENCIES, rows, isDetail: true },
  { heading: 'Bytes and server CPU', columns: COSTS, rows, isDetail: true },
];

/** @param {Pick<JobsRow, 'lagDecimals'>} row @param {number | undefined} ms */
function formatLag({ lagDecimals }, ms) {
  return ms === undefined ? DASH : formatSigned(ms, lagDecimals);
}

/** @param {Pick<JobsRow, 'lagDecimals'>} row @param {number | undefined} ms @param {Interval} [interval] */
function formatWithCi(row, ms, interval) {
  return interval
    ? `${formatLag(row, interval.estimate)} (${formatInterval(interval, 0, row.lagDecimals)})`
    : formatLag(row, ms);
}

/** @param {JobsRow} row */
function describeVerdict(row) {
  const { isBaseline, comparison } = row;
  if (isBaseline) return 'baseline';
  const { latency, differenceMs = 0, differenceInterval: interval } = comparison ?? {};
  if (latency?.verdict === 'same') return `same within ${SAME_PERCENT}%`;
  if (latency?.verdict === 'unclear') return 'no clear difference';
  if (!latency?.verdict) return formatWithCi(row, comparison?.differenceMs, interval);
  const word = latency.verdict === 'faster' ? 'slower' : 'faster';
  const [low, high] = interval ? [interval.low, interval.high].map(Math.abs).sort((a, b) => a - b) : [];
  const ci = interval ? ` (${formatInterval({ estimate: 0, low, high }, 0, row.lagDecimals)})` : '';
  return `${word} by ${formatLag(row, Math.abs(differenceMs))} ms${ci}`;
}
