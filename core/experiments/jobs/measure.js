/**
 * Measures polling or push, the experiment of 2018. A trial creates the jobs of all users, by one delivery method, and
 * waits until each is notified, has failed, or is late. The server reports its CPU time and traffic before and after.
 */
import { sleep as sleepFor } from '../../base/async.js';
import { median, sumOf } from '../../base/statistics.js';
import { LOOK_RULE } from '../../experiment/plan/blocks.js';
import { ELSEWHERE_RTT_MS, scopeOf } from '../../experiment/run/scope.js';
import { mattersIn } from '../../experiment/plan/situation.js';
import { protocolsOf } from '../../experiment/run/trials.js';
import { noticeOf } from '../../experiment/answer/verdict.js';
import { createDeliveryUser } from '../../net/delivery/index.js';
import { createTrafficWatch, createTrialId, measureIdleServer } from '../../net/delivery/traffic.js';
import { runTrial as runEchoTrial } from '../../net/echo/trial.js';
import { labelWithin } from '../../experiment/answer/labels.js';
import { createProgress, followAll } from './follow.js';
import { isFar, jobsOf, openJobCountOf, trialsOf, warmUpRoundsAt } from './plan.js';
import { predictGain, summarize } from './summary.js';
import { roundTripOf } from './trial.js';

/**
 * @import { Timers } from '../../base/async.js'
 * @import { FaultWatch, Measured, Measurement } from '../../experiment/contract.js'
 * @import { Now } from '../../base/clock.js'
 * @import { Interval } from '../../base/statistics.js'
 * @import { Situation } from '../../experiment/plan/situation.js'
 * @import { Transport } from '../../net/echo/index.js'
 * @import { Job, JobClient } from '../../net/delivery/index.js'
 * @import { Page } from '../../net/delivery/model.js'
 * @import { ReadTraffic, WatchTraffic } from '../../net/delivery/traffic.js'
 * @import { BeforeTrials, JobsTrial } from './schema.js'
 * @import { JobsProgress } from './follow.js'
 * @import { JobsPlan, PlannedTrial } from './plan.js'
 * @import { JobsRow } from './summary.js'
 * @typedef {object} Options `readRoundTrips`: milliseconds each; `warmUpRounds`: by each delivery method, not counted
 * @property {JobsPlan} plan
 * @property {() => JobClient} createClient one for each user
 * @property {ReadTraffic} readTraffic
 * @property {WatchTraffic} [watch] the same for all trials of a run
 * @property {() => Promise<number[]>} readRoundTrips
 * @property {() => Promise<void>} [reach] asks the server; throws an ExchangeError if no answer came
 * @property {Now} now
 * @property {number} [warmUpRounds]
 * @property {AbortSignal} [signal]
 * @property {Timers} [timers]
 * @property {number[]} [roundTripMs] as measured before the trials
 */

/** The plan of the warm-up: a server compiles code on first use, which would count for the first trial. */
const WARM_UP = { arrangement: 'all', minMs: 0, maxMs: 40, limitMs: 2000, intervalMs: 10, maxUsers: 10 };

/** @type {Measurement<Options, PlannedTrial, JobsTrial, BeforeTrials>} */
export const measurement = {
  schema: 'sockshootout/jobs/2',
  trialsOf,
  around,
  runTrial,
  isClear: ({ trials }, { plan, roundTripMs = [], stepMs, situation, environment: { url, link } = { url: '' } }) => {
    const floorMs = roundTripOf({ roundTripMs });
    if (floorMs === undefined) return false;
    const rows = summarize({ plan, trials, roundTripMs, environment: { stepMs } }, LOOK_RULE);
    // On one machine, the answer is what that predicts for users elsewhere.
    const rttMs = scopeOf({ url, link, floorMs }) === 'path' ? floorMs : ELSEWHERE_RTT_MS;
    return isClear(rows, { intervalMs: plan.intervals[0], ...situation, rttMs });
  },
  watchFaults,
};

/** @param {Options} options @param {(options: Options) => Promise<Measured<JobsTrial>>} measure */
async function around(options, measure) {
  const before = await measureBefore({ ...options, watch: watchOf(options) });
  // The first trial has a reading of its own: other things are asked before it.
  const watched = { ...options, watch: watchOf(options) };
  return { ...(await measure({ ...watched, ...before })), ...before };
}

/**
 * @param {Options & { watch: WatchTraffic }} options @returns {Promise<BeforeTrials>}
 * @throws {ExchangeError} if the server cannot be reached
 */
async function measureBefore(options) {
  const { signal, reach, readRoundTrips, warmUpRounds = 0 } = options;
  const roundTripMs = signal?.aborted ? [] : await readRoundTrips();
  const rounds = Math.min(warmUpRounds, warmUpRoundsAt(Number(median(roundTripMs))));
  for (let round = 0; round < rounds; round++) await warmUp(options);
  if (signal?.aborted) return { roundTripMs };
  const idle = await measureIdle(options);
  if (!idle && !signal?.aborted) await reach?.();
  return { roundTripMs, idle };
}

/** The time that a server takes to record that a connection was closed, usually. */
const CLOSING_MS = 5;
/** The round trips before the trials, on a path that is far and on one that is not. */
const ROUND_TRIPS = Object.freeze({
  far: { iterations: 5, warmUpCount: 1 },
  near: { iterations: 10, warmUpCount: 3 },
});

/**
 * Measures round trips in ms.
 * @param {{ transport: Transport, now: Now, signal?: AbortSignal }} options
 */
export async function measureRoundTrips(options) {
  const { samples: first } = await runEchoTrial({ ...options, ...ROUND_TRIPS.far });
  if (isFar(Number(median(first.roundTripMs)))) return first.roundTripMs;
  const { samples } = await runEchoTrial({ ...options, ...ROUND_TRIPS.near });
  return samples.roundTripMs;
}

/**
 * Watches for a lost server, which ends the run; a delivery method that never worked does not, if another one did.
 * @param {JobsPlan} plan @returns {FaultWatch<JobsTrial>}
 */
function watchFaults(plan) {
  const plannedCount = trialsOf(plan).length;
  /** @type {JobsTrial[]} */
  const trials = [];
  return {
    look(trial) {
      const isUnread = trial.trafficFault === 'unread' && trials.some(({ traffic }) => traffic);
      const isGone = isUnread && trial.notified.job.length === 0;
      const closed = trial.failures.filter(({ outcome }) => outcome === 'closed');
      trials.push(trial);
      if (!closed.some(({ createdAtMs }) => isGone || createdAtMs !== undefined)) return undefined;
      const where = `in trial ${trials.length} of ${plannedCount} (${labelWithin(trial.delivery, trial.intervalMs)})`;
      return { kind: 'invalid', reason: `The connection to the server was lost ${where}.` };
    },
    lookBack() {
      if (trials.length < plannedCount || trials.some(({ notified }) => notified.job.length > 0)) return undefined;
      const last = trials.flatMap(({ failures }) => failures).at(-1);
      const reason = `No client was notified of any job. The last error: ${last?.message ?? 'no job was created.'}`;
      return { kind: 'invalid', reason };
    },
  };
}

/**
 * Warms up the server. A method that fails here fails in its trial, too; but if the server is lost, no trial is made.
 * @param {Options} options
 */
async function warmUp(options) {
  const { plan, signal } = options;
  const { intervalMs, maxUsers, ...short } = WARM_UP;
  const few = { ...plan, ...short, users: Math.min(plan.users, maxUsers) };
  const jobs = jobsOf(few);
  const trialId = createTrialId();
  if (signal?.aborted) return;
  const ends = await Promise.all(
    plan.deliveries.map((delivery) => {
      const progress = createProgress(jobs);
      return followTrial({ delivery, intervalMs }, { ...options, plan: few, jobs, progress, trialId });
    }),
  );
  const failed = ends.find(({ lost }) => lost);
  if (failed) throw failed.lost;
}

/** @param {Options} options @returns {WatchTraffic} */
const watchOf = ({ readTraffic, now, signal, timers }) =>
  createTrafficWatch({ readTraffic, now, sleep: (ms) => sleepFor(ms, { signal, timers }) });

/** @param {Options & { watch: WatchTraffic }} options @returns {Promise<BeforeTrials['idle']>} */
async function measureIdle({ plan, readTraffic, watch, signal, timers }) {
  const forMs = Math.min(2000, Math.max(500, plan.maxMs / 5));
  return measureIdleServer({ readTraffic, watch, wait: () => sleepFor(forMs, { signal, timers }) });
}

/** @param {PlannedTrial} planned @param {Options & { progress: JobsProgress }} options @returns {Promise<JobsTrial>} */
async function runTrial(planned, options) {
  const { plan, signal, timers, watch = watchOf(options) } = options;
  const trialId = createTrialId();
  const readGrown = await watch(trialId);
  const jobs = jobsOf(plan, planned.block);
  const { followed } = await followTrial(planned, { ...options, jobs, trialId });
  // A connection that was closed just now is recorded a moment later; to ask twice takes a round trip more.
  await sleepFor(CLOSING_MS, { signal, timers });
  const grown = signal?.aborted ? {} : await readGrown();
  return { ...planned, ...followed, ...grown };
}

/** @param {PlannedTrial} planned @param {Options & { jobs: Job[], progress: JobsProgress, trialId: string }} options */
async function followTrial({ delivery, intervalMs }, options) {
  const { plan, trialId, createClient, now, signal, timers = globalThis } = options;
  const users = Array.from({ length: plan.users }, () =>
    createDeliveryUser(delivery, { client: createClient(), trialId, now, timers, intervalMs }),
  );
  const userOf = (/** @type {number} */ job) => users[Math.floor(job / plan.jobs)];
  const step = plan.jobs / openJobCountOf(plan);
  const queues = Array.from({ length: options.jobs.length / step }, (__, i) =>
    Array.from({ length: step }, (___, place) => i * step + place),
  );
  const { lost, ...ended } = await followAll({ ...options, queues, userOf, timers, limitMs: plan.limitMs });
  const closed = Promise.all(users.map((user) => user.close()));
  const protocol = protocolsOf(users).sort().join(', ');
  // A cancelled run ends at once, and the traffic of open connections is recorded too late for it.
  if (!signal?.aborted && !lost) await closed;
  const counts = users.map(({ requestCount }) => requestCount);
  const requestCount = counts.includes(undefined) ? undefined : sumOf(counts, (count) => count);
  return { lost, followed: { ...(protocol && { protocol }), ...ended, requestCount } };
}

/**
 * Whether the intervals say of each method if users notice that it is sooner than polling, and later than the push that answers are about.
 * @param {readonly JobsRow[]} rows @param {Page & Partial<Situation>} page
 */
export function isClear(rows, page) {
  const { newsMs } = mattersIn(page);
  const isAnswered = (/** @type {Interval | undefined} */ ms) => ms && noticeOf(ms, newsMs) !== 'not shown';
  const whole = rows.filter(
    ({ delivery, notifiedCount, jobCount }) => delivery !== 'poll' && notifiedCount === jobCount,
  );
  return (
    whole.length > 0 &&
    whole.every(
      (row) => isAnswered(predictGain(row, page)) && (!row.comparison || isAnswered(row.comparison.differenceInterval)),
    )
  );
}
