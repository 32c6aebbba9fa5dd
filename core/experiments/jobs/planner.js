/**
 * What one's own users and jobs would come to by each way, from what was measured: polling at any interval by the closed
 * form, where polling was measured, the others as they were.
 */
import { formatSigned } from '../../base/format.js';
import { drawDurationMs } from '../../net/delivery/job-duration.js';
import { labelOfWay } from '../../net/delivery/labels.js';
import { FIELDS, formatDurations, jobsOf } from './plan.js';
import { predictPolling } from './prediction.js';
import { roundTripOf, summarizeJobs } from './summary.js';
import { integer, parseFields } from '../../experiment/fields.js';

/**
 * @import { PlanOf } from '../../experiment/fields.js'
 * @import { Column } from '../../experiment/table.js'
 * @import { JobsRow, Measured } from './summary.js'
 */

/** What is asked for: by the names of its fields. */
export const PLANNER_FIELDS = Object.freeze({
  users: integer({ parameter: 'users', label: 'Your users', min: 1, max: 1_000_000_000, default: 1000 }),
  jobsPerDay: integer({ parameter: 'jobs a day', label: 'Jobs a day, each', min: 1, max: 1_000_000, default: 10 }),
  intervalMs: integer({
    parameter: 'interval',
    label: 'Poll interval',
    unit: 'ms',
    min: FIELDS.intervals.min,
    max: FIELDS.intervals.max,
    default: 500,
  }),
});

/**
 * @typedef {PlanOf<typeof PLANNER_FIELDS>} Needs
 *
 * @typedef {object} WayPlan what it would come to; absent what was not measured
 * @property {string} way
 * @property {number} [intervalMs] of polling
 * @property {number} [requestsPerDay] and messages to the server
 * @property {number} [bytesPerDay] both ways together
 * @property {number} [cpuHoursPerDay] of the server
 * @property {number} [meanLagMs]
 */

/**
 * @param {URLSearchParams} query by the fields' names
 * @returns {Needs} what is left out is as usual
 * @throws {InvalidInputError} what, expected, got
 */
export function parseNeeds(query) {
  return parseFields(query, PLANNER_FIELDS);
}

/**
 * @param {Measured} measured
 * @param {Needs} needs
 * @returns {WayPlan[]} in the order of tables; polling at the interval that is asked for, where it was measured at any; none of a
 *   run that ended early
 */
export function planWays(measured, needs) {
  if (measured.ending) return [];
  const jobsPerDay = needs.users * needs.jobsPerDay;
  const rows = summarizeJobs(measured).filter(({ toldCount }) => toldCount > 0);
  const polls = rows.filter(({ way }) => way === 'poll');
  const others = rows.filter(({ way }) => way !== 'poll');
  const { intervalMs } = needs;
  return [
    ...(polls.length === 0
      ? []
      : [{ way: 'poll', intervalMs, ...scale(pollingOf(measured, polls, needs), jobsPerDay) }]),
    ...others.map((row) => ({
      way: row.way,
      ...scale(
        {
          requests: row.requestsPerJob,
          bytes: row.bytesPerJob?.both,
          cpuMs: row.cpuMsPerJob,
          lagMs: row.lag.meanMs?.estimate,
        },
        jobsPerDay,
      ),
    })),
  ];
}

/** @typedef {{ requests?: number, bytes?: number, cpuMs?: number, lagMs?: number }} PerJob */

/**
 * By the closed form over the durations drawn, at interval and round trip: what kept this run's polls from their interval is
 * not what keeps other users'. Bytes and CPU of a request are as they were at the interval that is nearest.
 * @param {Measured} measured @param {readonly JobsRow[]} polls at least one @param {Needs} needs @returns {PerJob}
 */
function pollingOf(measured, polls, { intervalMs }) {
  const distance = (/** @type {{ intervalMs?: number }} */ row) =>
    Math.abs(Math.log(Number(row.intervalMs) / intervalMs));
  const [nearest] = [...polls].sort((a, b) => distance(a) - distance(b));
  const roundTripMs = roundTripOf(measured);
  if (roundTripMs === undefined) return {};
  const durationsMs = jobsOf(measured.plan).map(drawDurationMs);
  const { pollsPerJob, meanLagMs } = predictPolling(durationsMs, intervalMs + roundTripMs, roundTripMs);
  // One that makes the job, and the polls.
  const requests = 1 + Number(pollsPerJob);
  const each = (/** @type {number | undefined} */ perJob) =>
    perJob === undefined || !nearest.requestsPerJob ? undefined : (perJob / nearest.requestsPerJob) * requests;
  return { requests, bytes: each(nearest.bytesPerJob?.both), cpuMs: each(nearest.cpuMsPerJob), lagMs: meanLagMs };
}

/** @param {PerJob} perJob @param {number} jobsPerDay of all users @returns {Omit<WayPlan, 'way' | 'intervalMs'>} */
function scale({ requests, bytes, cpuMs, lagMs }, jobsPerDay) {
  const times = (/** @type {number | undefined} */ value) => (value === undefined ? undefined : value * jobsPerDay);
  const dailyCpuMs = times(cpuMs);
  return {
    requestsPerDay: times(requests),
    bytesPerDay: times(bytes),
    cpuHoursPerDay: dailyCpuMs === undefined ? undefined : dailyCpuMs / 3_600_000,
    meanLagMs: lagMs,
  };
}

/**
 * What to know of a plan's figures.
 *
 * @param {Pick<Measured, 'plan'>} measured
 * @returns {string} sentences
 */
export function describePlanner({ plan }) {
  return `Taken to be: asking only while a job is open; jobs of ${formatDurations(plan)} as in this run; as many jobs to a connection as in this run. Polling is by the closed form at interval and round trip, its bytes and CPU by request as at the nearest interval measured; the others are by job, as measured. What a connection costs that stays open all day, heartbeats and memory, is not in it, nor what TLS adds.`;
}

/** @type {readonly Column<WayPlan>[]} */
export const PLANNER_COLUMNS = [
  { title: 'Delivery method', isText: true, value: ({ way, intervalMs }) => labelOfWay(way, intervalMs) },
  {
    title: 'Requests and messages a day',
    value: ({ requestsPerDay }) => requestsPerDay,
    format: (count) => Math.round(count).toLocaleString('en'),
  },
  { title: 'Bytes a day', value: ({ bytesPerDay }) => bytesPerDay, format: formatBytes },
  { title: 'Server CPU a day', value: ({ cpuHoursPerDay }) => cpuHoursPerDay, format: formatCpuTime },
  { title: 'Mean latency', unit: 'ms', value: ({ meanLagMs }) => meanLagMs, format: (ms) => formatSigned(ms, 1) },
];

/** From this on they are counted in thousands. */
const SMALLEST_UNIT = /** @type {const} */ ([1e3, 'kB']);
const BYTE_UNITS = /** @type {const} */ ([[1e9, 'GB'], [1e6, 'MB'], SMALLEST_UNIT]);

/**
 * @param {number} bytes
 * @returns {string} with its unit
 * @example formatBytes(1.2e12) // '1,200.0 GB'
 */
function formatBytes(bytes) {
  const [size, unit] = BYTE_UNITS.find(([least]) => bytes >= least) ?? SMALLEST_UNIT;
  return `${withSeparators(bytes / size)} ${unit}`;
}

/** Below this nobody counts in hours. */
const LEAST_HOURS = 0.1;

/**
 * @param {number} hours
 * @returns {string} with its unit
 * @example formatCpuTime(0.01) // '36.0 s'
 */
export function formatCpuTime(hours) {
  if (hours >= LEAST_HOURS) return `${withSeparators(hours)} h`;
  const seconds = hours * 3600;
  return seconds < 0.1 ? 'below 0.1 s' : `${withSeparators(seconds)} s`;
}

/** @param {number} value */
const withSeparators = (value) => value.toLocaleString('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
