/**
 * The document of a run of poll or push.
 */
import { formatCsvLine } from '../../base/csv.js';
import { measurement } from './measure.js';
import { checkJobsPlan, FIELDS, jobsOf } from './plan.js';
import { describeJobs, headlineOfJobs } from './words.js';
import { drawDurationMs } from '../../net/delivery/job-duration.js';
import { WAY_LABELS } from '../../net/delivery/labels.js';
import { quoteEnding, headlineOfEnding, problemOfFault } from '../../experiment/documents/ending.js';
import { experimentFields, isCarriedOut, isCut } from '../../experiment/documents/experiment-fields.js';
import { schemaOfFields } from '../../experiment/fields.js';
import { isRising } from '../../experiment/documents/fields.js';
import { serverOf } from '../../experiment/documents/server-of.js';

/**
 * @import { Digest, Problem } from '../../experiment/contract.js'
 * @import { Valibot } from '../../experiment/documents/fields.js'
 * @import { JobsTrial } from './measure.js'
 * @import { JobsPlan, PlannedTrial } from './plan.js'
 * @import { JobsDocument } from './summary.js'
 */

/** What rounding to microseconds loses, twice. */
const ROUNDING_MS = 2e-3;
/** The server keeps whole milliseconds, and timers may wake up to one too early. */
const WHOLE_MS = 1;
/** The server's clock may be set right while it runs, and is: at most by so much of the time that passes. */
const SLEW_RATIO = 1e-3;

/** No browser's clock is coarser. */
const MOST_STEP_MS = 100;
/** What a busy client's timers may come late by; several machines' clocks are not farther apart. */
const SLACK_MS = 60_000;
/** Far more than are measured. */
const MOST_ROUND_TRIPS = 100;

/** @type {Readonly<Record<string, string>>} what carries each way's word */
const TRANSPORTS = Object.freeze({
  poll: 'fetch',
  'long-poll': 'fetch',
  sse: 'sse',
  'socket-per-job': 'websocket',
  push: 'websocket',
  sockjs: 'sockjs',
});

/**
 * @param {Valibot} v
 * @param {ReturnType<typeof import('../../experiment/documents/fields.js').createFields>} fields
 */
export function schemaOf(v, fields) {
  const { text, ms, count, within } = fields;
  const anyCount = v.pipe(v.number(), v.safeInteger());
  const told = v.pipe(
    v.strictObject({
      job: v.array(count),
      sentAtMs: v.array(ms),
      createdAtMs: v.array(ms),
      toldAtMs: v.array(ms),
      durationMs: v.array(ms),
      madeAtMs: v.array(count),
      pollCount: v.array(count),
    }),
    v.check(
      ({ job: { length }, ...columns }) => Object.values(columns).every((list) => list.length === length),
      'expected as many jobs as times sent, created and told, durations, times made and polls',
    ),
  );
  const traffic = v.strictObject({
    elapsedMs: ms,
    readingCount: count,
    requestCount: count,
    messageCount: count,
    receivedBytes: count,
    sentBytes: count,
    otherCount: anyCount,
    cpuMs: ms,
  });
  return v.strictObject({
    schema: v.literal(measurement.schema),
    plan: v.strictObject(schemaOfFields(v, FIELDS)),
    ...experimentFields(v, fields),
    roundTripMs: v.pipe(v.array(ms), v.maxLength(MOST_ROUND_TRIPS)),
    idle: v.optional(v.strictObject({ elapsedMs: ms, cpuMs: ms, readingCpuMs: ms, otherCount: anyCount })),
    trials: v.array(
      v.strictObject({
        way: v.picklist(Object.keys(WAY_LABELS)),
        intervalMs: v.optional(within(FIELDS.intervals)),
        protocol: v.optional(text),
        startedAtMs: ms,
        elapsedMs: ms,
        told,
        failures: v.array(
          v.strictObject({
            job: count,
            outcome: fields.failure.outcome,
            message: text,
            createdAtMs: v.optional(ms),
          }),
        ),
        requestCount: v.optional(count),
        traffic: v.optional(traffic),
        trafficFault: v.optional(v.picklist(['unread', 'silent', 'restarted', 'open'])),
      }),
    ),
  });
}

/**
 * @param {JobsDocument} document
 * @returns {Problem | undefined}
 */
export function problemOf(document) {
  const { plan, trials, ending, environment } = document;
  const planProblem = problemOfPlan(plan);
  if (planProblem) return planProblem;
  const planned = measurement.trialsOf(plan);
  if (!isCarriedOut({ planned, trials, ending }, isPlanned)) {
    return { path: 'trials', message: 'expected those of its plan, in its order' };
  }
  const durationsMs = jobsOf(plan).map(drawDurationMs);
  for (const [index, trial] of trials.entries()) {
    const isCutShort = isCut({ trials, ending }, index);
    const stepMs = Math.min(environment.stepMs ?? 0, MOST_STEP_MS);
    const message = problemOfTrial(trial, { durationsMs, isCutShort, stepMs, limitMs: plan.limitMs });
    if (message) return { path: `trials.${index}`, message };
    const endedAtMs = trial.startedAtMs + trial.elapsedMs;
    if (trials[index + 1]?.startedAtMs < endedAtMs - ROUNDING_MS) {
      return { path: `trials.${index + 1}`, message: 'expected one that began after the last one ended' };
    }
  }
  return problemOfFault(measurement, document);
}

/**
 * @param {JobsPlan} plan
 * @returns {Problem | undefined}
 */
function problemOfPlan(plan) {
  try {
    checkJobsPlan(plan);
    return undefined;
  } catch (error) {
    return { path: 'plan', message: /** @type {RangeError} */ (error).message };
  }
}

/**
 * @param {JobsTrial} trial
 * @param {PlannedTrial} planned
 */
function isPlanned({ way, intervalMs }, planned) {
  return way === planned.way && intervalMs === planned.intervalMs;
}

/**
 * @param {JobsTrial} trial
 * @param {{ durationsMs: readonly number[], isCutShort: boolean, stepMs: number, limitMs: number }} options `isCutShort`: the run ended in
 *   it
 * @returns {string | undefined} what was expected
 */
function problemOfTrial(trial, { durationsMs, isCutShort, stepMs, limitMs }) {
  const { told, failures, traffic, trafficFault } = trial;
  if (!isEachJobOnce(trial, durationsMs.length, isCutShort))
    return 'expected each job of its plan told of or failed, once';
  if (told.job.some((job, i) => told.durationMs[i] !== durationsMs[job])) {
    return 'expected jobs of the durations that the seed of its plan gives';
  }
  if (!told.job.every((_, i) => areTimes(trial, i, stepMs))) {
    return 'expected jobs sent, made, and told of after their duration, in that order';
  }
  if (told.job.some((_, i) => told.toldAtMs[i] - told.createdAtMs[i] > limitMs + SLACK_MS)) {
    return 'expected no job told of after its limit';
  }
  if (!areMadeTimes(trial)) {
    return 'expected when the server made each job, counted from the first, within the time of the trial';
  }
  if (failures.some(({ createdAtMs = 0 }) => createdAtMs > trial.elapsedMs + ROUNDING_MS)) {
    return 'expected no job made after the trial';
  }
  if (!told.job.every((_, i) => arePolls(trial, i, stepMs))) {
    return 'expected as many polls of each job as its way and the time until it was told of allow';
  }
  if (failures.some(({ outcome }) => outcome === 'aborted'))
    return 'expected no job that the visitor gave up among its failures';
  const isBooked = traffic ? trafficFault === undefined : trafficFault !== undefined || isCutShort;
  return isBooked ? undefined : 'expected what the server booked, or why it is missing';
}

/**
 * @param {JobsTrial} trial
 * @param {number} jobCount
 * @param {boolean} isCutShort
 */
function isEachJobOnce({ told, failures }, jobCount, isCutShort) {
  const failed = failures.map(({ job }) => job);
  const isFailed = new Set(failed);
  return (
    isRising(told.job, jobCount) &&
    isRising(failed, jobCount) &&
    !told.job.some((job) => isFailed.has(job)) &&
    (isCutShort || told.job.length + failed.length === jobCount)
  );
}

/**
 * A job cannot be done before it was asked for and its duration has passed. When its creation answer was read says less: a
 * busy client reads it late.
 *
 * @param {JobsTrial} trial
 * @param {number} i
 * @param {number} stepMs
 */
function areTimes({ told: { sentAtMs, createdAtMs, toldAtMs, durationMs }, elapsedMs }, i, stepMs) {
  const toleranceMs = WHOLE_MS + stepMs + ROUNDING_MS + durationMs[i] * SLEW_RATIO;
  return (
    sentAtMs[i] <= createdAtMs[i] &&
    createdAtMs[i] <= toldAtMs[i] &&
    toldAtMs[i] <= elapsedMs + ROUNDING_MS &&
    toldAtMs[i] - sentAtMs[i] >= durationMs[i] - toleranceMs
  );
}

/** @param {JobsTrial} trial */
function areMadeTimes({ told: { madeAtMs }, elapsedMs }) {
  return madeAtMs.length === 0 || (madeAtMs.includes(0) && madeAtMs.every((madeMs) => madeMs <= elapsedMs + SLACK_MS));
}

/**
 * @param {JobsTrial} trial
 * @param {number} i
 * @param {number} stepMs
 */
function arePolls({ way, intervalMs, told: { createdAtMs, toldAtMs, pollCount } }, i, stepMs) {
  if (intervalMs !== undefined) {
    const leastMs = pollCount[i] * (intervalMs - WHOLE_MS) - stepMs - ROUNDING_MS;
    return pollCount[i] > 0 && toldAtMs[i] - createdAtMs[i] >= leastMs;
  }
  return way === 'long-poll' ? pollCount[i] > 0 : pollCount[i] === 0;
}

/**
 * @param {JobsDocument} document
 * @returns {Digest}
 */
export function digest(document) {
  const { startedAt, plan, environment, statusBefore, trials, ending } = document;
  return {
    startedAt,
    ...serverOf(environment, statusBefore),
    transports: [...new Set(plan.ways.map((way) => TRANSPORTS[way]))],
    isValid: ending === undefined,
    headline: ending ? headlineOfEnding(ending) : headlineOfJobs(document),
    detail: ending ? quoteEnding(ending) : describeJobs(document).join(' '),
    sampleCount: trials.reduce((sum, { told }) => sum + told.job.length, 0),
    failureCount: trials.reduce((sum, { failures }) => sum + failures.length, 0),
  };
}

const COLUMNS = [
  'trial', 'way', 'interval_ms', 'protocol', 'user', 'job', 'outcome',
  'sent_at_ms', 'created_at_ms', 'told_at_ms', 'duration_ms', 'server_made_at_ms', 'poll_count', 'message',
]; // prettier-ignore

/** @param {JobsDocument} document */
export function formatCsv({ plan, trials }) {
  return [COLUMNS, ...trials.flatMap((trial, index) => linesOf(trial, index, plan))].map(formatCsvLine).join('');
}

/**
 * Its times count from the run's start.
 *
 * @param {JobsTrial} trial
 * @param {number} index
 * @param {JobsPlan} plan
 * @returns {(string | number | undefined)[][]}
 */
function linesOf({ way, intervalMs, protocol, startedAtMs, told, failures }, index, plan) {
  /** @param {number} job */
  const place = (job) => [index + 1, way, intervalMs, protocol, Math.floor(job / plan.jobs) + 1, job + 1];
  /** @param {number} ms since the trial's start */
  const time = (ms) => (startedAtMs + ms).toFixed(3);
  return [
    ...told.job.map((job, i) => [
      ...place(job),
      'ok',
      time(told.sentAtMs[i]),
      time(told.createdAtMs[i]),
      time(told.toldAtMs[i]),
      told.durationMs[i],
      told.madeAtMs[i],
      told.pollCount[i],
    ]),
    ...failures.map(({ job, outcome, message }) => [
      ...place(job),
      outcome,
      ...Array.from({ length: 6 }, () => undefined),
      message,
    ]),
  ];
}
