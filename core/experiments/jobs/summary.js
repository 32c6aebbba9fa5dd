/**
 * What the trials of polling or push come to: a row for each delivery method, beside the comparison with the baseline, the
 * closed form and the published figures.
 */
import { byFrequency } from '../../base/format.js';
import { meanInterval } from '../../base/statistics/intervals.js';
import { mean, percentile, sumOf } from '../../base/statistics/values.js';
import { protocolsOf } from '../../experiment/trials.js';
import { DELIVERY_BASELINES } from '../../net/labels.js';
import { compareDeliveries } from './comparison.js';
import { bytesOf, cpuOf, requestsPerJobOf } from './cost.js';
import { lagErrorOf, lagsIn, roundTripOf } from './lag.js';
import { eachTrial } from './plan.js';
import { periodOf, predictTrial } from './prediction.js';
import { publishedOf } from './published-2018.js';

/**
 * @import { Interval } from '../../base/statistics/intervals.js'
 * @import { ExperimentDocument } from '../../experiment/run.js'
 * @import { DeliveryComparison } from './comparison.js'
 * @import { Idle, JobsTrial, NotifiedJobs } from './measure.js'
 * @import { JobsPlan } from './plan.js'
 * @import { Prediction } from './prediction.js'
 */

/**
 * @typedef {ExperimentDocument<JobsPlan, JobsTrial> & { roundTripMs: number[], idle?: Idle }} JobsDocument
 * @typedef {Pick<JobsDocument, 'plan' | 'trials' | 'roundTripMs' | 'idle' | 'ending'> &
 *   { environment?: { stepMs?: number, userAgent?: string } }} Measured what figures are made of
 *
 * @typedef {object} Lag of the jobs that were notified
 * @property {number} [p50Ms] absent, as all of these, for too few
 * @property {number} [p95Ms]
 * @property {number} [maxMs]
 * @property {number} [meanMs]
 * @property {Interval} [interval] of the mean: over the blocks; of one trial only of polling, over the jobs
 *
 * @typedef {object} JobsRow of one delivery method, all its trials together
 * @property {string} delivery
 * @property {number} [intervalMs]
 * @property {string} [protocol]
 * @property {boolean} isBaseline
 * @property {number} jobCount
 * @property {number} notifiedCount
 * @property {number} lateCount given up, as there was no notification within the limit
 * @property {number} failureCount of the others that failed
 * @property {[reason: string, count: number][]} failureReasons of those, the most frequent first
 * @property {number} openCount neither, as the run ended
 * @property {Lag} lag
 * @property {number} lagDecimals that its latencies can bear
 * @property {number} [periodMs] of polling: the measured mean interval of polls
 * @property {number} [pollsPerJob] of those notified, by polling or long polling
 * @property {number} [requestsPerJob] HTTP requests, upgrades, and messages to the server, of all jobs
 * @property {{ up: number, down: number, both: number }} [bytesPerJob] of all jobs; `up` is from the client
 * @property {string} [bytesFault] why they are absent
 * @property {number} [cpuMsPerJob] of the server, less its idle use
 * @property {string} [cpuFault] why it is absent
 * @property {DeliveryComparison} [comparison] absent for the baseline itself, where there is none, and in a
 *   run that ended early
 * @property {Prediction} prediction
 * @property {{ kBPerJob: number, cpuMsPerJob: number }} [published] in 2018
 */

/** @param {Measured} measured @returns {JobsRow[]} in the order of tables; none for trials that were not made */
export function summarizeJobs(measured) {
  const groups = eachTrial(measured.plan)
    .map(({ way, intervalMs }) =>
      measured.trials.filter((trial) => trial.way === way && trial.intervalMs === intervalMs),
    )
    .filter(({ length }) => length > 0);
  const isWhole = !measured.ending;
  const baseline = DELIVERY_BASELINES.map((name) => groups.find(([{ way }]) => way === name)).find(Boolean);
  return groups.map((trials) => ({
    ...summarizeTrials(trials, measured),
    isBaseline: trials === baseline,
    comparison: isWhole && baseline && trials !== baseline ? compareDeliveries(trials, baseline, measured) : undefined,
  }));
}

/** Where lags may be off by so much, a tenth of a millisecond says nothing. */
const WHOLE_ERROR_MS = 10;

/** @param {Pick<Measured, 'roundTripMs' | 'environment'>} measured @returns {number} */
function lagDecimalsOf(measured) {
  return lagErrorOf(roundTripOf(measured) ?? 0, measured.environment?.stepMs) < WHOLE_ERROR_MS ? 1 : 0;
}

/** @param {readonly JobsTrial[]} trials of one delivery method @param {Measured} measured @returns {Omit<JobsRow, 'isBaseline'>} */
function summarizeTrials(trials, measured) {
  const trial = mergeTrials(trials);
  const { way, intervalMs, protocol, told, failures } = trial;
  const { plan } = measured;
  const jobCount = trials.length * plan.users * plan.jobs;
  const others = failures.filter(({ outcome }) => outcome !== 'timeout');
  return {
    delivery: way,
    intervalMs,
    protocol,
    jobCount,
    notifiedCount: told.job.length,
    lateCount: failures.length - others.length,
    failureCount: others.length,
    failureReasons: byFrequency(others.map(({ message }) => message)),
    openCount: jobCount - told.job.length - failures.length,
    lag: summarizeLags(trials, measured),
    lagDecimals: lagDecimalsOf(measured),
    periodMs: way === 'poll' ? periodOf(told) : undefined,
    pollsPerJob: pollsPerJobOf(told),
    requestsPerJob: requestsPerJobOf(trial, jobCount),
    ...bytesOf(trial, jobCount),
    ...cpuOf(trial, measured, jobCount),
    prediction: predictTrials(trials, measured),
    published: publishedOf(trial, plan),
  };
}

/** @param {readonly JobsTrial[]} trials @returns {JobsTrial} as if they were one; its times are those of each trial */
function mergeTrials(trials) {
  const [first] = trials;
  if (trials.length === 1) return first;
  const traffics = trials.flatMap(({ traffic }) => traffic ?? []);
  const requestCounts = trials.flatMap(({ requestCount }) => requestCount ?? []);
  return {
    ...first,
    protocol: protocolsOf(trials).join(', ') || undefined,
    told: addColumns(
      trials.map(({ told }) => told),
      (lists) => lists.flat(),
    ),
    failures: trials.flatMap(({ failures }) => failures),
    requestCount: requestCounts.length === trials.length ? sumOf(requestCounts, (count) => count) : undefined,
    traffic: traffics.length === trials.length ? addColumns(traffics, (list) => sumOf(list, Number)) : undefined,
    trafficFault: trials.find(({ trafficFault }) => trafficFault)?.trafficFault,
  };
}

/**
 * @template {object} T
 * @param {readonly T[]} records of the same fields
 * @param {(values: any[]) => any} add
 * @returns {T}
 */
function addColumns(records, add) {
  const names = /** @type {(keyof T)[]} */ (Object.keys(records[0]));
  return /** @type {T} */ (Object.fromEntries(names.map((name) => [name, add(records.map((record) => record[name]))])));
}

/** @param {readonly JobsTrial[]} trials @param {Measured} measured @returns {Lag} */
function summarizeLags(trials, measured) {
  const byTrial = trials.map(({ told }) => lagsIn(told, measured));
  const lags = byTrial.flat().sort((a, b) => a - b);
  const means = byTrial.map(mean).filter((ms) => ms !== undefined);
  return {
    p50Ms: percentile(lags, 50),
    p95Ms: percentile(lags, 95),
    maxMs: lags[lags.length - 1],
    meanMs: mean(means),
    interval: meanInterval(trials.length === 1 && trials[0].way === 'poll' ? lags : means),
  };
}

/** @param {readonly JobsTrial[]} trials @param {Measured} measured @returns {Prediction} */
function predictTrials(trials, measured) {
  const all = trials.map((trial) => predictTrial(trial, roundTripOf(measured), measured.environment?.stepMs));
  const meanOf = (/** @type {'pollsPerJob' | 'meanLagMs'} */ name) =>
    mean(all.map((one) => one[name]).filter((value) => value !== undefined));
  return { pollsPerJob: meanOf('pollsPerJob'), meanLagMs: meanOf('meanLagMs') };
}

/** @param {NotifiedJobs} told */
function pollsPerJobOf({ pollCount }) {
  const polls = pollCount.reduce((sum, count) => sum + count, 0);
  return polls === 0 ? undefined : polls / pollCount.length;
}
