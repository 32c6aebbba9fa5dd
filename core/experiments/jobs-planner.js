/**
 * What one's own users and jobs would come to by each way, from what was measured: polling at any interval by the closed
 * form, the others as they were.
 */
import { DASH, formatNumber, formatSigned } from '../format.js';
import { drawDurationMs } from '../job-duration.js';
import { labelOfWay } from '../ways/labels.js';
import { INTERVALS, jobsOf } from './jobs-plan.js';
import { predictPolling } from './jobs-prediction.js';
import { abovePeriodMs, roundTripOf, summarizeJobs } from './jobs-summary.js';
import { parseNumbers } from './plan-link.js';

/** What is asked for: by the names of its fields, and what they may be. */
export const PLANNER_NUMBERS = Object.freeze({
  users: { parameter: 'users', least: 1, most: 1_000_000_000, usual: 1000 },
  jobsPerDay: { parameter: 'jobs a day', least: 1, most: 1_000_000, usual: 10 },
  intervalMs: { parameter: 'interval', least: INTERVALS.least, most: INTERVALS.most, usual: 500 },
});

/**
 * @typedef {object} Needs
 * @property {number} users
 * @property {number} jobsPerDay of each user
 * @property {number} intervalMs of polling
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
 * @throws {RangeError} what, expected, got
 */
export function parseNeeds(query) {
  return parseNumbers(query, PLANNER_NUMBERS);
}

/**
 * @param {import('./jobs-summary.js').Measured} measured
 * @param {Needs} needs
 * @returns {WayPlan[]} in the order of tables, polling among them even where another interval was measured, or none
 */
export function planWays(measured, needs) {
  const jobsPerDay = needs.users * needs.jobsPerDay;
  const rows = summarizeJobs(measured);
  const others = rows.filter(({ way }) => way !== 'poll');
  return [
    { way: 'poll', intervalMs: needs.intervalMs, ...scale(pollingOf(measured, rows, needs), jobsPerDay) },
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
 * By the closed form over the durations drawn, with bytes and CPU of a request as they were at the interval that is nearest.
 *
 * @param {import('./jobs-summary.js').Measured} measured
 * @param {readonly import('./jobs-summary.js').JobsRow[]} rows
 * @param {Needs} needs
 * @returns {PerJob}
 */
function pollingOf(measured, rows, { intervalMs }) {
  const distance = (/** @type {{ intervalMs?: number }} */ row) =>
    Math.abs(Math.log(Number(row.intervalMs) / intervalMs));
  const [nearest] = rows
    .filter(({ way, toldCount }) => way === 'poll' && toldCount > 0)
    .sort((a, b) => distance(a) - distance(b));
  const trial = nearest && measured.trials.find((one) => one.way === 'poll' && one.intervalMs === nearest.intervalMs);
  const roundTripMs = roundTripOf(measured);
  const aboveMs = (trial && abovePeriodMs(trial)) ?? roundTripMs;
  if (aboveMs === undefined) return {};
  const durationsMs = jobsOf(measured.plan).map(drawDurationMs);
  const { pollsPerJob, meanLagMs } = predictPolling(durationsMs, intervalMs + aboveMs, roundTripMs);
  // One that makes the job, and the polls.
  const requests = 1 + Number(pollsPerJob);
  const each = (/** @type {number | undefined} */ perJob) =>
    perJob === undefined || !nearest?.requestsPerJob ? undefined : (perJob / nearest.requestsPerJob) * requests;
  return { requests, bytes: each(nearest?.bytesPerJob?.both), cpuMs: each(nearest?.cpuMsPerJob), lagMs: meanLagMs };
}

/**
 * @param {PerJob} perJob
 * @param {number} jobsPerDay of all users
 * @returns {Omit<WayPlan, 'way' | 'intervalMs'>}
 */
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

/** What to know of a plan's figures. */
export const PLANNER_NOTE =
  'Polling is by the closed form over the durations drawn here, its bytes and CPU by request at the nearest interval measured; the others are by job, as measured. What a connection costs that stays open all day, heartbeats and memory, is not in it, nor what TLS adds.';

export const PLANNER_TITLES = Object.freeze([
  'Way',
  'Requests and messages a day',
  'MB a day',
  'Server CPU, hours a day',
  'Mean lag, ms',
]);

/** @param {number} column of {@link PLANNER_TITLES} */
export const isPlannerTextColumn = (column) => column < 1;

/**
 * @param {WayPlan} row
 * @returns {string[]} a cell for each of {@link PLANNER_TITLES}
 */
export function formatWayPlan({ way, intervalMs, requestsPerDay, bytesPerDay, cpuHoursPerDay, meanLagMs }) {
  return [
    labelOfWay(way, intervalMs),
    requestsPerDay === undefined ? DASH : Math.round(requestsPerDay).toLocaleString('en'),
    formatNumber(bytesPerDay && bytesPerDay / 1e6, 2),
    formatHours(cpuHoursPerDay),
    meanLagMs === undefined ? DASH : formatSigned(meanLagMs, 1),
  ];
}

/** @param {number | undefined} hours */
function formatHours(hours) {
  if (hours === undefined) return DASH;
  if (hours < 0.0001) return 'below 0.0001';
  return hours < 1 ? String(Number(hours.toPrecision(2))) : hours.toFixed(1);
}
