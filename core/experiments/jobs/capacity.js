/**
 * Estimates the cost of the visitor's own users and jobs: polling by its closed form, the other methods as measured.
 */
import { formatBytes, formatSigned } from '../../base/format.js';
import { integer, parseFields } from '../../experiment/plan/fields.js';
import { moreBytesOf } from '../../net/delivery/model.js';
import { durationsOf, FIELDS, formatDurations } from './plan.js';
import { predictPolling } from './polling.js';
import { summarize } from './summary.js';
import { DELIVERY } from './tables.js';
import { roundTripOf } from './trial.js';

/**
 * @import { Column } from '../../experiment/report/table.js'
 * @import { PlanOf } from '../../experiment/plan/fields.js'
 * @import { JobsPlan } from './plan.js'
 * @import { JobsRow, Measured } from './summary.js'
 * @typedef {PlanOf<typeof CAPACITY_FIELDS>} Needs
 * @typedef {{ requests?: number, bytes?: number, cpuMs?: number, lagMs?: number }} PerJob
 * @typedef {{ requestsPerDay?: number, bytesPerDay?: number, cpuHoursPerDay?: number, meanLagMs?: number }} PerDay
 * @typedef {{ delivery: string, intervalMs?: number } & PerDay} DeliveryCost as measured
 */

const { min, max } = FIELDS.intervals;

export const CAPACITY_FIELDS = Object.freeze({
  users: integer({ parameter: 'users', label: 'Your users', min: 1, max: 1_000_000_000, default: 1000 }),
  jobsPerDay: integer({
    parameter: 'jobs per day',
    label: 'Jobs per user and day',
    min: 1,
    max: 1_000_000,
    default: 10,
  }),
  intervalMs: integer({ parameter: 'interval', label: 'Poll interval', unit: 'ms', min, max, default: 500 }),
});

/**
 * Parses the query; missing parameters have their default.
 * @param {URLSearchParams} query @throws {InvalidInputError} what, expected, got
 */
export const parseNeeds = (query) => parseFields(query, CAPACITY_FIELDS);

/**
 * Estimates polling at the visitor's interval.
 * @param {Measured} measured @param {Needs} needs @returns {DeliveryCost[]}
 */
export function estimateCapacity(measured, needs) {
  if (measured.ending) return [];
  const rows = summarize(measured).filter(({ notifiedCount }) => notifiedCount > 0);
  const polls = rows.filter(({ delivery }) => delivery === 'poll');
  const others = rows.filter(({ delivery }) => delivery !== 'poll');
  const polling = polls.length > 0 ? [pollingOf(measured, polls, needs)] : [];
  return [
    ...polling.map((perJob) => ({ delivery: 'poll', intervalMs: needs.intervalMs, ...scale(perJob, needs) })),
    ...others.map(({ delivery, requestsPerJob: requests, bytesPerJob, cpuMsPerJob: cpuMs, lag }) => ({
      delivery,
      ...scale({ requests, bytes: bytesPerJob?.both, cpuMs, lagMs: lag.meanMs }, needs),
    })),
  ];
}

/**
 * Estimates polling by the closed form, as other polls need not have the delays of this run. Bytes and CPU per request
 * are those of the nearest interval.
 * @param {Measured} measured @param {readonly JobsRow[]} polls at least one @param {Needs} needs @returns {PerJob}
 */
function pollingOf(measured, polls, { intervalMs }) {
  const distance = (/** @type {JobsRow} */ row) => Math.abs(Math.log(Number(row.intervalMs) / intervalMs));
  const [nearest] = [...polls].sort((a, b) => distance(a) - distance(b));
  const roundTripMs = roundTripOf(measured);
  if (roundTripMs === undefined) return {};
  const { plan } = measured;
  const durationsMs = Array.from({ length: plan.blocks ?? 1 }, (__, block) => durationsOf(plan, block)).flat();
  const { pollsPerJob, meanLagMs } = predictPolling(durationsMs, intervalMs + roundTripMs, roundTripMs);
  const requests = 1 + Number(pollsPerJob);
  const each = (/** @type {number | undefined} */ perJob) =>
    perJob === undefined || !nearest.requestsPerJob ? undefined : (perJob / nearest.requestsPerJob) * requests;
  // News comes once, however often it is asked for.
  const moreBytes = moreBytesOf(plan);
  const requestBytes = each(nearest.bytesPerJob && nearest.bytesPerJob.both - moreBytes);
  const bytes = requestBytes === undefined ? undefined : requestBytes + moreBytes;
  return { requests, bytes, cpuMs: each(nearest.cpuMsPerJob), lagMs: meanLagMs };
}

/** @param {PerJob} perJob @param {Needs} needs @returns {PerDay} */
function scale({ requests, bytes, cpuMs, lagMs }, { users, jobsPerDay }) {
  const perDay = (/** @type {number | undefined} */ value, unit = 1) =>
    value === undefined ? undefined : (value * (users * jobsPerDay)) / unit;
  return {
    requestsPerDay: perDay(requests),
    bytesPerDay: perDay(bytes),
    cpuHoursPerDay: perDay(cpuMs, 3_600_000),
    meanLagMs: lagMs,
  };
}

const LEFT_OUT = 'TLS, heartbeats and memory are not included.';

/** @param {{ plan: JobsPlan }} measured @returns {string} sentences: how the estimate is computed */
export function describeCapacity({ plan }) {
  const durations = formatDurations(plan);
  if (!plan.deliveries.includes('poll')) return `Scaled from this run. Assumes jobs of ${durations}. ${LEFT_OUT}`;
  return `Polling is calculated, assuming no delays; the other methods are scaled from this run. Assumes jobs of ${durations}, polled only while open. ${LEFT_OUT}`;
}

/** @type {readonly Column<DeliveryCost>[]} */
export const CAPACITY_COLUMNS = [
  DELIVERY,
  {
    title: 'Requests and messages per day',
    value: ({ requestsPerDay }) => requestsPerDay,
    format: (count) => Math.round(count).toLocaleString('en'),
  },
  { title: 'Bytes per day', value: ({ bytesPerDay }) => bytesPerDay, format: formatBytes },
  { title: 'Server CPU per day', value: ({ cpuHoursPerDay }) => cpuHoursPerDay, format: formatCpuTime },
  { title: 'Mean latency', unit: 'ms', value: ({ meanLagMs }) => meanLagMs, format: (ms) => formatSigned(ms, 1) },
];

/** @param {number} value */
const withSeparators = (value) => value.toLocaleString('en', { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** @param {number} hours @returns {string} below 0.1 h in seconds, like '36.0 s' */
export function formatCpuTime(hours) {
  if (hours >= 0.1) return `${withSeparators(hours)} h`;
  const seconds = hours * 3600;
  return seconds < 0.1 ? 'below 0.1 s' : `${withSeparators(seconds)} s`;
}
