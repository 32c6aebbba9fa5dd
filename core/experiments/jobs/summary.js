/**
 * What the trials of poll or push come to: a row for each, beside the baseline's, the closed form's and the published
 * figures.
 */
import { byFrequency } from '../../base/by-frequency.js';
import { meanInterval } from '../../base/statistics/mean-interval.js';
import { percentile } from '../../base/statistics/quantile.js';
import { WAY_BASELINES } from '../../net/delivery/labels.js';
import { lagErrorOf, lagsOf } from './lag.js';
import { eachTrial } from './plan.js';
import { periodOf, predictTrial } from './prediction.js';
import { publishedOf } from './published-2018.js';

/**
 * @import { Interval } from '../../base/statistics/mean-interval.js'
 * @import { ExperimentDocument } from '../../experiment/measure-document.js'
 * @import { Idle, JobsTrial, ToldColumns } from './measure.js'
 * @import { JobsPlan, PlannedTrial } from './plan.js'
 * @import { Prediction } from './prediction.js'
 */

/** Why the server's word of a trial is missing. */
const TRAFFIC_FAULTS = Object.freeze({
  unread: 'the server could not be asked',
  silent: 'a worker of the server did not answer',
  restarted: 'workers of the server came or went meanwhile',
  open: 'connections stayed open',
});
const TOO_FEW = 'the server booked fewer requests than were made';
const ENDED = 'the run ended before';
/** By so much what a server takes by itself may be off: measured once, for a second or two. */
const UNSTEADY_RATIO = 0.5;
export const TOO_SMALL = 'too small to tell';

/**
 * @typedef {ExperimentDocument<JobsPlan, JobsTrial> & { roundTripMs: number[], idle?: Idle }} JobsDocument
 * @typedef {Pick<JobsDocument, 'plan' | 'trials' | 'roundTripMs' | 'idle' | 'ending'> &
 *   { environment?: { stepMs?: number, userAgent?: string } }} Measured what figures are made of
 *
 * @typedef {object} Lag of the jobs that were told of
 * @property {number} [p50Ms] absent, as all of these, for too few
 * @property {number} [p95Ms]
 * @property {number} [maxMs]
 * @property {Interval} [meanMs] over the jobs, whose durations are independent draws
 *
 * @typedef {object} Ratios what this way takes of what the baseline takes
 * @property {number} [bytes] absent, as all of these, where one of them was not measured
 * @property {number} [requests]
 * @property {number} [cpu]
 * @property {Interval} [lagMs] of polling: by how much its lag is above the baseline's, job by job
 * @property {number} [aboveMs] of other ways: by how much its mean lag is above the baseline's. A stall delays all jobs that it
 *   meets, so that one trial tells nothing of how sure that is
 *
 * @typedef {object} JobsRow of one trial
 * @property {string} way
 * @property {number} [intervalMs]
 * @property {string} [protocol]
 * @property {boolean} isBaseline
 * @property {number} jobCount of the plan
 * @property {number} toldCount
 * @property {number} lateCount given up, as they were not told of within the limit
 * @property {number} failureCount of the others that failed
 * @property {[reason: string, count: number][]} failureReasons of those, the most frequent first
 * @property {number} openCount neither, as the run ended
 * @property {Lag} lag
 * @property {number} lagDecimals that its lags can bear
 * @property {number} [periodMs] of polling: how often a job was really asked for, in the mean
 * @property {number} [pollsPerJob] of those told of, by polling or long polling
 * @property {number} [requestsPerJob] HTTP requests, upgrades, and messages to the server, of all jobs
 * @property {{ up: number, down: number, both: number }} [bytesPerJob] of all jobs; `up` is from the client
 * @property {string} [bytesFault] why they are absent
 * @property {number} [cpuMsPerJob] of the server, less what it takes by itself
 * @property {string} [cpuFault] why it is absent
 * @property {Ratios} [ratios] absent for the baseline itself, and where there is none
 * @property {Prediction} prediction
 * @property {{ kBPerJob: number, cpuMsPerJob: number }} [published] in 2018
 */

/** @param {Measured} measured @returns {JobsRow[]} in the order of tables; none for trials that were not made */
export function summarizeJobs(measured) {
  const trials = eachTrial(measured.plan).flatMap((planned) => trialOf(measured.trials, planned) ?? []);
  const baseline = baselineOf(trials);
  const baselineRow = baseline && summarizeTrial(baseline, measured);
  return trials.map((trial) => {
    if (trial === baseline) return { ...summarizeTrial(trial, measured), isBaseline: true };
    const row = summarizeTrial(trial, measured);
    return baseline && baselineRow
      ? { ...row, ratios: ratiosOf({ row, trial }, { row: baselineRow, trial: baseline }, measured) }
      : row;
  });
}

/** @param {readonly JobsTrial[]} trials @param {PlannedTrial} planned */
function trialOf(trials, { way, intervalMs }) {
  return trials.find((trial) => trial.way === way && trial.intervalMs === intervalMs);
}

/** @param {readonly JobsTrial[]} trials @returns {JobsTrial | undefined} what the others are set against */
export function baselineOf(trials) {
  return WAY_BASELINES.map((way) => trials.find((trial) => trial.way === way)).find((trial) => trial !== undefined);
}

/**
 * @param {Pick<JobsDocument, 'roundTripMs'>} measured
 * @returns {number | undefined} the shortest, which stands for the way there and back; absent where none was measured
 */
export function roundTripOf({ roundTripMs }) {
  return roundTripMs.length === 0 ? undefined : Math.min(...roundTripMs);
}

/**
 * @param {JobsTrial} trial
 * @param {Pick<Measured, 'roundTripMs' | 'environment'>} measured
 * @returns {number[]} milliseconds, rising; none where the round trip is not known
 */
export function sortedLags({ told }, measured) {
  return lagsIn(told, measured).sort((a, b) => a - b);
}

/**
 * @param {ToldColumns} told @param {Pick<Measured, 'roundTripMs' | 'environment'>} measured
 * @returns {number[]} milliseconds, in the order of the jobs; none where the round trip is not known
 */
function lagsIn(told, measured) {
  const roundTripMs = roundTripOf(measured);
  return roundTripMs === undefined ? [] : lagsOf(told, roundTripMs, measured.environment?.stepMs);
}

/** Where lags may be off by so much, a tenth of a millisecond says nothing. */
const WHOLE_ERROR_MS = 10;

/** @param {Pick<Measured, 'roundTripMs' | 'environment'>} measured @returns {number} */
function lagDecimalsOf(measured) {
  return lagErrorOf(roundTripOf(measured) ?? 0, measured.environment?.stepMs) < WHOLE_ERROR_MS ? 1 : 0;
}

/** @param {JobsTrial} trial @param {Measured} measured @returns {JobsRow} */
function summarizeTrial(trial, measured) {
  const { way, intervalMs, protocol, told, failures } = trial;
  const { plan } = measured;
  const jobCount = plan.users * plan.jobs;
  const lags = sortedLags(trial, measured);
  const others = failures.filter(({ outcome }) => outcome !== 'timeout');
  return {
    way,
    intervalMs,
    protocol,
    isBaseline: false,
    jobCount,
    toldCount: told.job.length,
    lateCount: failures.length - others.length,
    failureCount: others.length,
    failureReasons: byFrequency(others.map(({ message }) => message)),
    openCount: jobCount - told.job.length - failures.length,
    lag: {
      p50Ms: percentile(lags, 50),
      p95Ms: percentile(lags, 95),
      maxMs: lags[lags.length - 1],
      meanMs: meanInterval(lags),
    },
    lagDecimals: lagDecimalsOf(measured),
    periodMs: way === 'poll' ? periodOf(told) : undefined,
    pollsPerJob: pollsPerJobOf(told),
    requestsPerJob: requestsPerJobOf(trial, jobCount),
    ...bytesOf(trial, jobCount),
    ...cpuOf(trial, measured, jobCount),
    prediction: predictTrial(trial, roundTripOf(measured), measured.environment?.stepMs),
    published: publishedOf(trial, plan),
  };
}

/** @param {ToldColumns} told */
function pollsPerJobOf({ pollCount }) {
  const polls = pollCount.reduce((sum, count) => sum + count, 0);
  return polls === 0 ? undefined : polls / pollCount.length;
}

/**
 * Of a WebSocket its messages count beside its upgrade; elsewhere a message goes by a request, and is one already.
 * @param {JobsTrial} trial @param {number} jobCount @returns {number | undefined}
 */
function requestsPerJobOf(trial, jobCount) {
  const { protocol, requestCount, traffic, way } = trial;
  if (traffic && trafficFaultOf(trial) === undefined) {
    return (traffic.requestCount + (protocol === 'websocket' ? traffic.messageCount : 0)) / jobCount;
  }
  const isWhole = requestCount !== undefined && isAllEnded(trial, jobCount);
  return isWhole && way !== 'push' && way !== 'sockjs' ? requestCount / jobCount : undefined;
}

/** @param {JobsTrial} trial @param {number} jobCount */
const isAllEnded = ({ told, failures }, jobCount) => told.job.length + failures.length === jobCount;

/**
 * @param {JobsTrial} trial
 * @returns {string | undefined} why what the server booked cannot be relied on; absent where it can
 */
function trafficFaultOf({ requestCount, traffic, trafficFault }) {
  if (!traffic) return trafficFault ? TRAFFIC_FAULTS[trafficFault] : ENDED;
  return requestCount !== undefined && traffic.requestCount < requestCount ? TOO_FEW : undefined;
}

/** @param {JobsTrial} trial @param {number} jobCount @returns {Pick<JobsRow, 'bytesPerJob' | 'bytesFault'>} */
function bytesOf(trial, jobCount) {
  const fault = trafficFaultOf(trial);
  if (fault || !trial.traffic) return { bytesFault: `not measured: ${fault}` };
  const up = trial.traffic.receivedBytes / jobCount;
  const down = trial.traffic.sentBytes / jobCount;
  return { bytesPerJob: { up, down, both: up + down } };
}

/**
 * Whole processes' time, so true only where they served nobody else. What they take by themselves, and for being asked, is
 * taken off. By themselves they take now more, now less; what is not above the half of that could as well be chance.
 * @param {JobsTrial} trial @param {Measured} measured @param {number} jobCount
 * @returns {Pick<JobsRow, 'cpuMsPerJob' | 'cpuFault'>}
 */
function cpuOf(trial, { idle }, jobCount) {
  const { traffic } = trial;
  const fault = trafficFaultOf(trial);
  if (fault || !traffic) return { cpuFault: `not measured: ${fault}` };
  if (!idle || idle.elapsedMs === 0) return { cpuFault: 'not measured: the idle server could not be asked' };
  const otherCount = Math.abs(traffic.otherCount) || Math.abs(idle.otherCount);
  if (otherCount > 0)
    return { cpuFault: `not measured: ${otherCount} other ${otherCount === 1 ? 'request' : 'requests'}` };
  const ownMs = ((idle.cpuMs - idle.readingCpuMs) / idle.elapsedMs) * traffic.elapsedMs;
  const cpuMs = traffic.cpuMs - ownMs - traffic.readingCount * idle.readingCpuMs;
  return cpuMs <= 0 || cpuMs <= ownMs * UNSTEADY_RATIO ? { cpuFault: TOO_SMALL } : { cpuMsPerJob: cpuMs / jobCount };
}

/**
 * @param {{ row: JobsRow, trial: JobsTrial }} one
 * @param {{ row: JobsRow, trial: JobsTrial }} baseline
 * @param {Measured} measured
 * @returns {Ratios}
 */
function ratiosOf(one, baseline, measured) {
  const ratio = (/** @type {number | undefined} */ value, /** @type {number | undefined} */ base) =>
    value === undefined || !base ? undefined : value / base;
  return {
    bytes: ratio(one.row.bytesPerJob?.both, baseline.row.bytesPerJob?.both),
    requests: ratio(one.row.requestsPerJob, baseline.row.requestsPerJob),
    cpu: ratio(one.row.cpuMsPerJob, baseline.row.cpuMsPerJob),
    ...lagAboveOf(one.trial, baseline.trial, measured),
  };
}

/** @param {JobsTrial} trial @param {JobsTrial} baseline @param {Measured} measured */
function lagAboveOf(trial, baseline, measured) {
  const interval = meanInterval(lagDifferences(trial, baseline, measured));
  return trial.way === 'poll' ? { lagMs: interval } : { aboveMs: interval?.estimate };
}

/**
 * A job takes as long in every trial, so the two belong together.
 * @param {JobsTrial} trial @param {JobsTrial} baseline @param {Measured} measured
 * @returns {number[]} of each job that both told of; none where there is no lag
 */
function lagDifferences({ told }, { told: base }, measured) {
  if (roundTripOf(measured) === undefined) return [];
  const baseLags = lagsIn(base, measured);
  const lagOfJob = new Map(base.job.map((job, i) => [job, baseLags[i]]));
  const lags = lagsIn(told, measured);
  return told.job.flatMap((job, i) => {
    const baseMs = lagOfJob.get(job);
    return baseMs === undefined ? [] : lags[i] - baseMs;
  });
}
