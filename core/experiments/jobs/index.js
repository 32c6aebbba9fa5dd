/** The description of polling or push: how a client finds out that a job is done, and what that costs. */
import { isRising } from '../../experiment/documents/fields.js';
import { formatFields } from '../../experiment/fields.js';
import { planned } from '../../experiment/planned.js';
import { DELIVERY_LABELS, labelOfDelivery } from '../../net/labels.js';
import { CAPACITY_FIELDS } from './capacity.js';
import { measurement } from './measure.js';
import { checkJobsPlan, describeJobsPlan, durationsOf, FIELDS } from './plan.js';
import { report } from './report.js';
import { summarizeJobs } from './summary.js';

/**
 * @import { InferOutput } from 'valibot'
 * @import { Counts, ExperimentDocument } from '../../experiment/contract.js'
 * @import { DocumentFields, Valibot } from '../../experiment/documents/fields.js'
 * @import { JobsPlan } from './plan.js'
 * @typedef {InferOutput<ReturnType<typeof trialSchema>>} JobsTrial
 * @typedef {InferOutput<ReturnType<typeof notifiedSchema>>} NotifiedJobs
 * @typedef {ReturnType<typeof moreSchema>} More
 * @typedef {{ roundTripMs: number[], idle?: InferOutput<More['idle']> }} BeforeTrials
 * @typedef {ExperimentDocument<JobsPlan, JobsTrial> & BeforeTrials} JobsDocument
 */

const ROUNDING_MS = 2e-3;
const MAX_ROUND_TRIPS = 100;

/** The transports of a plan's delivery methods. @param {JobsPlan} plan @returns {string[]} */
const transportsOf = ({ ways }) => [...new Set(ways.map((way) => TRANSPORTS[way] ?? way))];

/** Of the delivery methods that have not their transport's name. @type {Readonly<Record<string, string>>} */
const TRANSPORTS = { poll: 'fetch', 'long-poll': 'fetch', 'socket-per-job': 'websocket', push: 'websocket' };

/** @param {Valibot} v @param {DocumentFields} fields */
function trialSchema(v, fields) {
  const { text, ms, count, within } = fields;
  const { outcome } = fields.failure;
  return v.strictObject({
    way: v.picklist(Object.keys(DELIVERY_LABELS)),
    intervalMs: v.optional(within(FIELDS.intervals)),
    block: v.optional(count),
    protocol: v.optional(text),
    startedAtMs: ms,
    elapsedMs: ms,
    told: notifiedSchema(v, fields),
    // Late ones have the outcome `timeout`; without a time of creation none was confirmed.
    failures: v.array(v.strictObject({ job: count, outcome, message: text, createdAtMs: v.optional(ms) })),
    requestCount: v.optional(count),
    // By the server, see core/net/delivery/traffic.js; neither this nor its fault where the run ended.
    traffic: v.optional(
      v.strictObject({
        elapsedMs: ms,
        readingCount: count,
        requestCount: count,
        messageCount: count,
        receivedBytes: count,
        sentBytes: count,
        otherCount: differenceIn(v),
        cpuMs: ms,
      }),
    ),
    trafficFault: v.optional(v.picklist(['unread', 'silent', 'restarted', 'open'])),
  });
}

/** What a run measures besides its trials. @param {Valibot} v @param {DocumentFields} fields */
function moreSchema(v, { ms }) {
  return {
    // Of echoes over a warm connection; none where no answer came.
    roundTripMs: v.pipe(v.array(ms), v.maxLength(MAX_ROUND_TRIPS)),
    // What the server did when idle. `cpuMs` has one reading in it, which is `readingCpuMs`.
    idle: v.optional(v.strictObject({ elapsedMs: ms, cpuMs: ms, readingCpuMs: ms, otherCount: differenceIn(v) })),
  };
}

/** Times since the trial's start; `madeAtMs` since the first one. @param {Valibot} v @param {DocumentFields} fields */
function notifiedSchema(v, { ms, count }) {
  const [counts, times] = [v.array(count), v.array(ms)];
  const moments = { sentAtMs: times, createdAtMs: times, toldAtMs: times, durationMs: times };
  return v.pipe(
    v.strictObject({ job: counts, ...moments, madeAtMs: counts, pollCount: counts }),
    v.check(
      ({ job: { length }, ...columns }) => Object.values(columns).every((list) => list.length === length),
      'expected lists of the same length',
    ),
  );
}

/** Of two counts, so it may be below 0. @param {Valibot} v */
const differenceIn = (v) => v.pipe(v.number(), v.safeInteger());

/** What was expected; absent where it is so. @param {JobsTrial} trial @param {{ plan: JobsPlan, isCut: boolean }} run */
function faultOf({ told, failures, elapsedMs, traffic, trafficFault, block }, { plan, isCut }) {
  const durationsMs = durationsOf(plan, block);
  const failed = failures.map(({ job }) => job);
  const ended = new Set([...told.job, ...failed]);
  const isEachOnce =
    [told.job, failed].every((list) => isRising(list, durationsMs.length)) &&
    ended.size === told.job.length + failed.length &&
    (isCut || ended.size === durationsMs.length);
  if (!isEachOnce) return 'expected each job of its plan once, notified or failed';
  if (told.job.some((job, i) => told.durationMs[i] !== durationsMs[job])) {
    return 'expected jobs of the durations that the seed of its plan gives';
  }
  const isForward = told.toldAtMs.every((notifiedMs, i) => {
    const times = [told.sentAtMs[i], told.createdAtMs[i], notifiedMs, elapsedMs + ROUNDING_MS];
    return times.every((ms, place) => place === 0 || times[place - 1] <= ms);
  });
  if (!isForward) return 'expected jobs sent, created, and notified within the trial, in that order';
  const isRecorded = traffic ? !trafficFault : trafficFault || isCut;
  return isRecorded ? undefined : 'expected the traffic that the server recorded, or why it is missing';
}

const sampleColumns = [
  'trial', 'way', 'interval_ms', 'protocol', 'user', 'job', 'outcome',
  'sent_at_ms', 'created_at_ms', 'told_at_ms', 'duration_ms', 'server_made_at_ms', 'poll_count', 'message',
]; // prettier-ignore

/** Its times count from the run's start. @param {JobsTrial} trial @param {number} index @param {JobsPlan} plan */
function sampleRows({ way, intervalMs, protocol, startedAtMs, told, failures }, index, plan) {
  /** @param {number} job */
  const place = (job) => [index + 1, way, intervalMs, protocol, Math.floor(job / plan.jobs) + 1, job + 1];
  const noTimes = Array.from({ length: 6 }, () => undefined);
  const { sentAtMs, createdAtMs, toldAtMs, durationMs, madeAtMs, pollCount } = told;
  return [
    ...told.job.map((job, i) => {
      const times = [sentAtMs[i], createdAtMs[i], toldAtMs[i]].map((ms) => (startedAtMs + ms).toFixed(3));
      return [...place(job), 'ok', ...times, durationMs[i], madeAtMs[i], pollCount[i]];
    }),
    ...failures.map(({ job, outcome, message }) => [...place(job), outcome, ...noTimes, message]),
  ];
}

/** Jobs whose user was notified. @param {JobsTrial} trial @returns {Counts} */
const countsOf = ({ told, failures }) => ({ answerCount: told.job.length, failures });

export const jobs = planned({
  ...measurement,
  name: 'jobs',
  label: 'Polling or push',
  path: '/polltest',
  intro: 'How soon do clients find out that a job is done, and what does it cost in requests, bytes and server CPU?',
  legend: 'Delivery methods and jobs',
  fields: FIELDS,
  checkPlan: checkJobsPlan,
  describePlan: describeJobsPlan,
  presets: [
    // Few users, as all of a page share the six connections of its browser.
    {
      label: 'Quick',
      plan: 'ways=poll,push,sockjs&intervals=500&users=4&jobs=5&least=0&most=1000&limit=3000&blocks=6',
    },
    {
      label: 'As in 2018',
      plan: 'ways=poll,socket-per-job,push&intervals=500,250&users=20&jobs=10&arrangement=sequential&least=0&most=10000&limit=11000',
    },
  ],
  formatPlan: (plan) =>
    formatFields({ ...plan, arrangement: plan.arrangement ?? 'all', blocks: plan.blocks ?? 1 }, FIELDS),
  describeTrial: ({ way, intervalMs }) => labelOfDelivery(way, intervalMs),
  messageCountOf: (_, { users, jobs: each }) => users * each,
  hasChart: true,
  viewData: { capacity: CAPACITY_FIELDS },
  moreSchema,
  trialKeys: ['way', 'intervalMs', 'block'],
  trialSchema,
  faultOf,
  sampleColumns,
  sampleRows,
  transportsOf,
  roundTripsOf: ({ roundTripMs }) => roundTripMs,
  countsOf,
  counted: 'job',
  lastMsOf: ({ elapsedMs }) => elapsedMs,
  methodOf: ({ way }) => way,
  summarize: summarizeJobs,
  report,
});
