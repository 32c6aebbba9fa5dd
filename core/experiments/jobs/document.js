/** The document of a run of polling or push. */
import { isRising } from '../../experiment/documents/fields.js';
import { drawDurationMs } from '../../net/delivery/job.js';
import { DELIVERY_LABELS } from '../../net/labels.js';
import { FIELDS, jobsOf } from './plan.js';

/**
 * @import { Fields, Valibot } from '../../experiment/documents/fields.js'
 * @import { JobsTrial } from './measure.js'
 * @import { JobsPlan } from './plan.js'
 */

/** What rounding to microseconds loses, twice. */
const ROUNDING_MS = 2e-3;

/** Far more than are measured. */
const MAX_ROUND_TRIPS = 100;

/** @param {JobsPlan} plan @returns {string[]} the transports of its delivery methods */
export const transportsOf = ({ ways }) => [...new Set(ways.map((way) => TRANSPORTS[way]))];

/** @type {Readonly<Record<string, string>>} by delivery method */
const TRANSPORTS = Object.freeze({
  poll: 'fetch',
  'long-poll': 'fetch',
  sse: 'sse',
  'socket-per-job': 'websocket',
  push: 'websocket',
  sockjs: 'sockjs',
});

/** @param {Valibot} v @param {Fields} fields */
export function trialSchema(v, fields) {
  const { text, ms, count, within } = fields;
  const { outcome } = fields.failure;
  return v.strictObject({
    way: v.picklist(Object.keys(DELIVERY_LABELS)),
    intervalMs: v.optional(within(FIELDS.intervals)),
    block: v.optional(count),
    protocol: v.optional(text),
    startedAtMs: ms,
    elapsedMs: ms,
    told: schemaOfNotified(v, fields),
    failures: v.array(v.strictObject({ job: count, outcome, message: text, createdAtMs: v.optional(ms) })),
    requestCount: v.optional(count),
    traffic: v.optional(schemaOfTraffic(v, fields)),
    trafficFault: v.optional(v.picklist(['unread', 'silent', 'restarted', 'open'])),
  });
}

/** What a run measures besides its trials. @param {Valibot} v @param {Fields} fields */
export function moreSchema(v, { ms }) {
  return {
    roundTripMs: v.pipe(v.array(ms), v.maxLength(MAX_ROUND_TRIPS)),
    idle: v.optional(v.strictObject({ elapsedMs: ms, cpuMs: ms, readingCpuMs: ms, otherCount: differenceIn(v) })),
  };
}

/** @param {Valibot} v @param {Fields} fields */
function schemaOfNotified(v, { ms, count }) {
  const [counts, times] = [v.array(count), v.array(ms)];
  return v.pipe(
    v.strictObject({
      job: counts,
      sentAtMs: times,
      createdAtMs: times,
      toldAtMs: times,
      durationMs: times,
      madeAtMs: counts,
      pollCount: counts,
    }),
    v.check(
      ({ job: { length }, ...columns }) => Object.values(columns).every((list) => list.length === length),
      'expected lists of the same length',
    ),
  );
}

/** @param {Valibot} v @param {Fields} fields */
function schemaOfTraffic(v, { ms, count }) {
  return v.strictObject({
    elapsedMs: ms,
    readingCount: count,
    requestCount: count,
    messageCount: count,
    receivedBytes: count,
    sentBytes: count,
    otherCount: differenceIn(v),
    cpuMs: ms,
  });
}

/** Of two counts, so it may be below 0. @param {Valibot} v */
const differenceIn = (v) => v.pipe(v.number(), v.safeInteger());

/**
 * @param {JobsTrial} trial
 * @param {{ plan: JobsPlan, isCut: boolean }} run
 * @returns {string | undefined} what was expected
 */
export function faultOf(trial, { plan, isCut }) {
  const { told, elapsedMs, traffic, trafficFault, block } = trial;
  const durationsMs = jobsOf(plan, block).map(drawDurationMs);
  if (!isEachJobOnce(trial, durationsMs.length, isCut)) return 'expected each job of its plan notified or failed, once';
  if (told.job.some((job, i) => told.durationMs[i] !== durationsMs[job])) {
    return 'expected jobs of the durations that the seed of its plan gives';
  }
  const isForward = told.toldAtMs.every(
    (notifiedMs, i) =>
      told.sentAtMs[i] <= told.createdAtMs[i] &&
      told.createdAtMs[i] <= notifiedMs &&
      notifiedMs <= elapsedMs + ROUNDING_MS,
  );
  if (!isForward) return 'expected jobs sent, created, and notified within the trial, in that order';
  const isRecorded = traffic ? !trafficFault : trafficFault || isCut;
  return isRecorded ? undefined : 'expected the traffic that the server recorded, or why it is missing';
}

/** @param {JobsTrial} trial @param {number} jobCount @param {boolean} isCut */
function isEachJobOnce({ told, failures }, jobCount, isCut) {
  const failed = failures.map(({ job }) => job);
  return (
    isRising(told.job, jobCount) &&
    isRising(failed, jobCount) &&
    new Set([...told.job, ...failed]).size === told.job.length + failed.length &&
    (isCut || told.job.length + failed.length === jobCount)
  );
}

export const sampleColumns = [
  'trial', 'way', 'interval_ms', 'protocol', 'user', 'job', 'outcome',
  'sent_at_ms', 'created_at_ms', 'told_at_ms', 'duration_ms', 'server_made_at_ms', 'poll_count', 'message',
]; // prettier-ignore

/** Its times count from the run's start. @param {JobsTrial} trial @param {number} index @param {JobsPlan} plan */
export function sampleRows({ way, intervalMs, protocol, startedAtMs, told, failures }, index, plan) {
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
