/** Defines the schema of a saved run of jobs. */
import { isRising } from '../../experiment/documents/document-fields.js';
import { deliveries } from '../../net/delivery/index.js';
import { durationsOf, FIELDS } from './plan.js';

/**
 * @import { InferOutput } from 'valibot'
 * @import { ExperimentDocument } from '../../experiment/contract.js'
 * @import { OutputOf, Valibot } from '../../base/valibot.js'
 * @import { DocumentFields } from '../../experiment/documents/document-fields.js'
 * @import { JobsPlan } from './plan.js'
 * @typedef {OutputOf<typeof trialSchema>} JobsTrial
 * @typedef {OutputOf<typeof notifiedSchema>} NotifiedJobs
 * @typedef {{ roundTripMs: number[], idle?: InferOutput<DocumentFields['idle']> }} BeforeTrials
 * @typedef {ExperimentDocument<JobsPlan, JobsTrial> & BeforeTrials} JobsDocument
 */

const ROUNDING_MS = 2e-3;
const MAX_ROUND_TRIPS = 100;

/** @param {Valibot} v @param {DocumentFields} fields */
export function trialSchema(v, fields) {
  const { text, ms, count, within, recorded } = fields;
  const { outcome } = fields.failure;
  return v.strictObject({
    delivery: v.picklist(Object.keys(deliveries)),
    intervalMs: v.optional(within(FIELDS.intervals)),
    block: v.optional(count),
    protocol: v.optional(text),
    startedAtMs: ms,
    elapsedMs: ms,
    notified: notifiedSchema(v, fields),
    // Jobs that are late have the outcome `timeout`; without a time of creation none was confirmed.
    failures: v.array(v.strictObject({ job: count, outcome, message: text, createdAtMs: v.optional(ms) })),
    requestCount: v.optional(count),
    ...recorded,
  });
}

/** Defines the additional measurements of a run. @param {Valibot} v @param {DocumentFields} fields */
export function moreSchema(v, { ms, idle }) {
  return {
    // These are echoes over a warm connection; none if no answer came.
    roundTripMs: v.pipe(v.array(ms), v.maxLength(MAX_ROUND_TRIPS)),
    idle,
  };
}

/** Times since the trial's start; `madeAtMs` since the first one. @param {Valibot} v @param {DocumentFields} fields */
function notifiedSchema(v, { ms, count }) {
  const [counts, times] = [v.array(count), v.array(ms)];
  const moments = { sentAtMs: times, createdAtMs: times, notifiedAtMs: times, durationMs: times };
  return v.pipe(
    v.strictObject({ job: counts, ...moments, madeAtMs: counts, pollCount: counts }),
    v.check(
      ({ job: { length }, ...columns }) => Object.values(columns).every((list) => list.length === length),
      'expected lists of the same length',
    ),
  );
}

/**
 * Returns what was expected; absent if it is so.
 * @param {JobsTrial} trial @param {{ plan: JobsPlan, isCut: boolean }} run
 */
export function faultOf({ notified, failures, elapsedMs, traffic, trafficFault, block }, { plan, isCut }) {
  const durationsMs = durationsOf(plan, block);
  const failed = failures.map(({ job }) => job);
  const ended = new Set([...notified.job, ...failed]);
  const isEachOnce =
    [notified.job, failed].every((list) => isRising(list, durationsMs.length)) &&
    ended.size === notified.job.length + failed.length &&
    (isCut || ended.size === durationsMs.length);
  if (!isEachOnce) return 'expected each job of its plan once, notified or failed';
  if (notified.job.some((job, i) => notified.durationMs[i] !== durationsMs[job])) {
    return 'expected jobs of the durations that the seed of its plan gives';
  }
  const isForward = notified.notifiedAtMs.every((notifiedMs, i) => {
    const times = [notified.sentAtMs[i], notified.createdAtMs[i], notifiedMs, elapsedMs + ROUNDING_MS];
    return times.every((ms, place) => place === 0 || times[place - 1] <= ms);
  });
  if (!isForward) return 'expected jobs sent, created, and notified within the trial, in that order';
  const isRecorded = traffic ? !trafficFault : trafficFault || isCut;
  return isRecorded ? undefined : 'expected the traffic that the server recorded, or why it is missing';
}
