/** The tables of a run of polling or push, and how a latency is written in them. */
import { DASH, formatInterval, formatMs, formatSigned } from '../../base/format.js';
import { negate } from '../../base/statistics.js';
import { nameVerdict } from '../../experiment/answer/verdict.js';
import { fixed } from '../../experiment/report/table.js';
import { labelOfDelivery } from '../../experiment/answer/labels.js';

/**
 * @import { Column } from '../../experiment/report/table.js'
 * @import { Report } from '../../experiment/report/findings.js'
 * @import { Interval } from '../../base/statistics.js'
 * @import { Judged } from '../../experiment/answer/verdict.js'
 * @import { JobsRow } from './summary.js'
 */

/** @param {JobsRow} row @returns {Judged | undefined} the method, compared with what the table compares all with */
const judgedOf = ({ besideBaseline }) => (besideBaseline?.latency.verdict ? besideBaseline.latency : undefined);

/** @param {{ lagDecimals: number }} row @param {number | undefined} ms */
const formatLag = ({ lagDecimals }, ms) => (ms === undefined ? DASH : formatSigned(ms, lagDecimals));

/** @param {{ lagDecimals: number }} row @param {number | undefined} ms @param {Interval} [interval] absent where too few blocks have one */
function formatWithCi(row, ms, interval) {
  if (!interval) return ms === undefined ? DASH : `${formatLag(row, ms)} (no CI)`;
  const lagDecimals = decimalsFor(interval, row);
  return `${formatLag({ lagDecimals }, interval.estimate)} (${formatEnds(interval, lagDecimals)})`;
}

/**
 * Returns one more decimal if the ends would be the same.
 * @param {Interval} interval @param {{ lagDecimals: number }} row
 */
export function decimalsFor({ low, high }, { lagDecimals }) {
  const isOnePoint = formatSigned(low, lagDecimals) === formatSigned(high, lagDecimals);
  return lagDecimals + (isOnePoint ? 1 : 0);
}

/** @param {Interval} interval @param {number} decimals at most @returns {string} such as '282–365', or '−4 to 3' */
export function formatEnds(interval, decimals) {
  const ends = formatInterval(interval, 0, decimals);
  // A minus sign is hard to read next to a dash.
  return ends.includes('−') ? ends : ends.replace(' to ', '–');
}

/** @type {Column<{ delivery: string, intervalMs?: number }>} */
export const DELIVERY = {
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
  {
    title: 'Difference to baseline, ms (95% CI)',
    name: 'difference_ms',
    value: ({ isBaseline, besideBaseline, ...row }) => {
      if (isBaseline) return 'baseline';
      const { differenceMs, differenceInterval } = besideBaseline ?? {};
      return formatWithCi(row, differenceMs && -differenceMs, differenceInterval && negate(differenceInterval));
    },
  },
  {
    title: 'Verdict',
    isText: true,
    value: (row) => {
      const judged = judgedOf(row);
      return judged && nameVerdict(judged);
    },
    judgedOf,
  },
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
  { title: 'Predicted mean', unit: 'ms', value: (row) => formatLag(row, row.prediction.meanLagMs) },
  { title: 'Polls per job', name: 'polls_per_job', value: ({ pollsPerJob }) => pollsPerJob, format: fixed(2) },
  { title: 'Predicted polls per job', value: ({ prediction }) => prediction.pollsPerJob, format: fixed(2) },
  { title: 'Poll period', name: 'period_ms', unit: 'ms', value: ({ periodMs }) => periodMs, format: fixed(0) },
  { title: 'Notified', name: 'notified', value: ({ notifiedCount }) => notifiedCount },
  { title: 'Late', name: 'late', value: ({ lateCount }) => lateCount },
  { title: 'Failed', name: 'failures', value: ({ failureCount }) => failureCount },
];

const CPU = 'Server CPU per job';

/** @param {boolean} isAs2018 are there figures of 2018 to compare with? @returns {Column<JobsRow>[]} */
const costColumns = (isAs2018) => [
  DELIVERY,
  { title: 'Bytes sent per job', value: ({ bytesFault, bytesPerJob }) => bytesFault ?? bytesPerJob?.up.toFixed(0) },
  { title: 'Bytes received per job', value: ({ bytesPerJob }) => bytesPerJob?.down, format: fixed(0) },
  ...columnsOf2018(isAs2018, { title: 'Bytes per job in 2018', value: ({ published }) => published?.bytesPerJob }, 0),
  { title: CPU, unit: 'ms', value: ({ cpuFault, cpuMsPerJob }) => cpuFault ?? (cpuMsPerJob && formatMs(cpuMsPerJob)) },
  ...columnsOf2018(isAs2018, { title: `${CPU} in 2018`, unit: 'ms', value: ({ published }) => published?.cpuMsPerJob }),
];

/** @param {boolean} isShown @param {Column<JobsRow>} column @param {number} [decimals] */
const columnsOf2018 = (isShown, column, decimals = 2) => (isShown ? [{ ...column, format: fixed(decimals) }] : []);

/**
 * Tabulates the delay, the costs and the faults of each delivery method.
 * @param {readonly JobsRow[]} rows @returns {Report['tables']}
 */
export const tabulateJobs = (rows) => [
  { columns: rows.some(judgedOf) ? SHORT : SHORT.filter(({ judgedOf: one }) => !one), rows },
  { heading: 'Latency and polls', columns: LATENCIES, rows, isDetail: true },
  {
    heading: 'Bytes and server CPU',
    columns: costColumns(rows.some(({ published }) => published)),
    rows,
    isDetail: true,
  },
];
