/** Describes polling or push: how a client finds out that a job is done, and the cost of that. */
import { createFind } from '../../experiment/report/find.js';
import { samplesCsv } from '../../experiment/run/trials.js';
import { deliveries } from '../../net/delivery/index.js';
import { labelOfDelivery } from '../../experiment/answer/labels.js';
import { answersOf } from './answers.js';
import { fullTest } from './full-test.js';
import { createProgress } from './follow.js';
import { live } from './live.js';
import { measurement } from './measure.js';
import { checkJobsPlan, describeJobsPlan, FIELDS, jobsOf } from './plan.js';
import { report } from './report.js';
import { faultOf, moreSchema, trialSchema } from './schema.js';
import { summarize } from './summary.js';
import { trustOf } from './trust.js';

/**
 * @import { Experiment, TrialFacts } from '../../experiment/contract.js'
 * @import { JobsPlan, PlannedTrial } from './plan.js'
 * @import { JobsDocument, JobsTrial } from './schema.js'
 * @import { JobsRow } from './summary.js'
 */

/** The transports of a plan's delivery methods. @param {JobsPlan} plan @returns {string[]} */
const transportsOf = (plan) => [...new Set(plan.deliveries.map((name) => deliveries[name].transport))];

/** Of runs without a size of news, these are the columns of earlier releases. @param {JobsPlan} plan */
const sampleColumnsOf = ({ newsBytes }) => [
  'trial', 'delivery', 'interval_ms', 'protocol', 'user', 'job', 'outcome',
  'sent_at_ms', 'created_at_ms', 'notified_at_ms', 'duration_ms', 'server_made_at_ms', 'poll_count',
  ...(newsBytes === undefined ? [] : ['news_bytes']), 'message',
]; // prettier-ignore

/**
 * Returns the CSV lines of a trial; times count from the run's start.
 * @param {JobsTrial} trial @param {number} index @param {JobsPlan} plan
 */
function sampleRows({ delivery, intervalMs, protocol, startedAtMs, notified, failures }, index, plan) {
  /** @param {number} job */
  const place = (job) => [index + 1, delivery, intervalMs, protocol, Math.floor(job / plan.jobs) + 1, job + 1];
  const noTimes = Array.from({ length: 6 }, () => undefined);
  const size = plan.newsBytes === undefined ? [] : [plan.newsBytes];
  const { sentAtMs, createdAtMs, notifiedAtMs, durationMs, madeAtMs, pollCount } = notified;
  return [
    ...notified.job.map((job, i) => {
      const times = [sentAtMs[i], createdAtMs[i], notifiedAtMs[i]].map((ms) => (startedAtMs + ms).toFixed(3));
      return [...place(job), 'ok', ...times, durationMs[i], madeAtMs[i], pollCount[i], ...size];
    }),
    ...failures.map(({ job, outcome, message }) => [...place(job), outcome, ...noTimes, ...size, message]),
  ];
}

/** Counts the jobs whose user was notified. @param {JobsTrial} trial @returns {TrialFacts} */
const readTrial = ({ delivery, notified, failures, elapsedMs }) => {
  return { answerCount: notified.job.length, failures, method: delivery, lastMs: elapsedMs };
};

/**
 * Jobs that were late or failed are a result; a method without any notification is not.
 * @param {readonly JobsRow[]} _ @param {JobsDocument} run
 */
function failureOf(_, { ending, trials }) {
  if (ending) return ending.reason;
  const silent = trials.find(({ notified }) => notified.job.length === 0);
  if (!silent) return undefined;
  const cause = silent.failures[0]?.message ?? '';
  return `${labelOfDelivery(silent.delivery, silent.intervalMs)}: no client was notified of any job. ${cause}`.trim();
}

/** @param {JobsDocument} run @returns {number[]} ms */
const roundTripsOf = ({ roundTripMs }) => roundTripMs;

// Its round trips are requests, as the page makes them when it polls.
const find = createFind({
  summarize,
  report,
  roundTripsOf,
  trustOf,
  requestsOf: roundTripsOf,
  answersOf,
  failureOf,
});

/** @satisfies {Experiment} */
export const jobs = Object.freeze({
  ...measurement,
  name: 'jobs',
  label: fullTest.question,
  path: '/polltest',
  question:
    'How soon do users see the news that a job is done, and what does it cost in requests, bytes and server CPU?',
  fields: FIELDS,
  checkPlan: checkJobsPlan,
  describePlan: describeJobsPlan,
  presets: [
    {
      label: 'Quick',
      plan: 'deliveries=poll,push,sockjs&intervals=500&users=4&jobs=5&min=0&max=1000&limit=11000&blocks=6',
    },
    {
      label: 'As in 2018',
      plan: 'deliveries=poll,socket-per-job,push&intervals=500,250&users=20&jobs=10&arrangement=sequential&min=0&max=10000&limit=11000&blocks=1',
    },
  ],
  progressOf: (/** @type {PlannedTrial} */ { delivery, intervalMs, block }, /** @type {JobsPlan} */ plan) => ({
    label: labelOfDelivery(delivery, intervalMs),
    ...createProgress(jobsOf(plan, block)),
  }),
  live,
  schemaOf: (v, documentFields, ofRun) => ofRun(moreSchema(v, documentFields)),
  trialSchema,
  faultOf,
  formatCsv: (/** @type {JobsDocument} */ run) => samplesCsv(sampleColumnsOf(run.plan), sampleRows)(run),
  transportsOf,
  readTrial,
  failsIf: 'a delivery method notified no client, the run is invalid or stopped',
  compares: true,
  // A run that has not begun has no round trips.
  find: (run) => find({ roundTripMs: [], ...run }),
  fullTest,
});

export default jobs;
