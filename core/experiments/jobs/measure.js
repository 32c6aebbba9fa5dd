/**
 * Polling or push, the experiment of 2018. A trial creates the jobs of all users, by one delivery method, and waits until
 * each is notified, has failed, or is late. Before and after the server reports its CPU time and traffic.
 */
import { sleep as sleepFor } from '../../base/async.js';
import { sumOf } from '../../base/statistics/values.js';
import { protocolsOf } from '../../experiment/trials.js';
import { deliveries } from '../../net/delivery/index.js';
import { labelWithin } from '../../net/labels.js';
import { watchTraffic } from '../../net/delivery/traffic.js';
import { runTrial as runEchoTrial } from '../../net/echo/trial.js';
import { createProgress, followAll } from './follow.js';
import { jobsOf, openJobCountOf, trialsOf } from './plan.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { Timers } from '../../base/async.js'
 * @import { FaultWatch, Measurement } from '../../experiment/run.js'
 * @import { Job, JobClient } from '../../net/delivery/index.js'
 * @import { ReadTraffic } from '../../net/delivery/traffic.js'
 * @import { BeforeTrials, JobsTrial } from './index.js'
 * @import { JobsProgress } from './follow.js'
 * @import { JobsPlan, PlannedTrial } from './plan.js'
 */

/**
 * Before anything is counted each delivery method has rounds of jobs that are done nearly at once: a server compiles code
 * on first use, which would count for whatever trial comes first.
 */
const WARM_UP = { arrangement: 'all', leastMs: 0, mostMs: 40, limitMs: 2000, intervalMs: 10, maxUsers: 10 };
export const WARM_UP_ROUNDS = 5;

/**
 * @typedef {object} Options
 * @property {JobsPlan} plan
 * @property {() => JobClient} createClient one for each user
 * @property {ReadTraffic} readTraffic
 * @property {() => Promise<number[]>} readRoundTrips milliseconds each
 * @property {() => Promise<void>} [reach] asks the server; throws an ExchangeError where no answer came
 * @property {Now} now
 * @property {number} [warmUpRounds] by each delivery method, not counted
 * @property {AbortSignal} [signal]
 * @property {Timers} [timers]
 */

/** @type {Measurement<Options, PlannedTrial, JobsTrial, BeforeTrials>} */
export const measurement = {
  schema: 'sockshootout/jobs/1',
  trialsOf,
  prepare,
  createProgress: ({ block }, { plan }) => createProgress(jobsOf(plan, block)),
  runTrial,
  watchFaults,
};

/** @param {Options} options @returns {Promise<BeforeTrials>} @throws {ExchangeError} where the server cannot be reached */
async function prepare(options) {
  const { signal, reach, readRoundTrips, warmUpRounds = 0 } = options;
  const roundTripMs = signal?.aborted ? [] : await readRoundTrips();
  for (let round = 0; round < warmUpRounds; round++) await warmUp(options);
  if (signal?.aborted) return { roundTripMs };
  const idle = await measureIdle(options);
  if (!idle && !signal?.aborted) await reach?.();
  return { roundTripMs, idle };
}

/**
 * A few echoes one after the other, of which the shortest stands for the network's round-trip time.
 * @param {Pick<Parameters<typeof runEchoTrial>[0], 'transport' | 'now' | 'signal'>} options `transport` over HTTP
 * @returns {Promise<number[]>} milliseconds each; none where no answer came
 */
export async function measureRoundTrips(options) {
  const { samples } = await runEchoTrial({ ...options, iterations: 10, warmUpCount: 3 });
  return samples.roundTripMs;
}

/**
 * A lost server ends the run. A delivery method that never worked does not, as long as another one did: its jobs are
 * counted as failed.
 * @param {JobsPlan} plan @returns {FaultWatch<JobsTrial>}
 */
function watchFaults(plan) {
  const plannedCount = trialsOf(plan).length;
  /** @type {JobsTrial[]} */
  const trials = [];
  return {
    look(trial) {
      const isUnread = trial.trafficFault === 'unread' && trials.some(({ traffic }) => traffic);
      const isGone = isUnread && trial.told.job.length === 0;
      const closed = trial.failures.filter(({ outcome }) => outcome === 'closed');
      trials.push(trial);
      if (!closed.some(({ createdAtMs }) => isGone || createdAtMs !== undefined)) return undefined;
      const where = `in trial ${trials.length} of ${plannedCount} (${labelWithin(trial.way, trial.intervalMs)})`;
      return { kind: 'invalid', reason: `The connection to the server was lost ${where}.` };
    },
    lookBack() {
      if (trials.length < plannedCount || trials.some(({ told }) => told.job.length > 0)) return undefined;
      const last = trials.flatMap(({ failures }) => failures).at(-1);
      const reason = `No delivery method notified of any job. The last error: ${last?.message ?? 'no job was created.'}`;
      return { kind: 'invalid', reason };
    },
  };
}

/** What fails here fails in its trial, too; but where the server is lost no trial is made. @param {Options} options */
async function warmUp(options) {
  const { plan, signal } = options;
  const { intervalMs, maxUsers, ...short } = WARM_UP;
  const few = { ...plan, ...short, users: Math.min(plan.users, maxUsers) };
  const jobs = jobsOf(few);
  const trialId = createTrialId();
  for (const way of plan.ways) {
    if (signal?.aborted) return;
    const progress = createProgress(jobs);
    const { lost } = await followTrial({ way, intervalMs }, { ...options, plan: few, jobs, progress, trialId });
    if (lost) throw lost;
  }
}

/** @param {Options} options @param {string} trialId */
function watch({ readTraffic, now, signal, timers }, trialId) {
  return watchTraffic({ readTraffic, trialId, now, sleep: (ms) => sleepFor(ms, { signal, timers }) });
}

/** @param {Options} options @returns {Promise<BeforeTrials['idle']>} */
async function measureIdle(options) {
  const { plan, readTraffic, signal, timers } = options;
  const trialId = createTrialId();
  // The first reading finds cold code, and costs several times as much.
  await readTraffic(trialId);
  const reading = await (await watch(options, trialId))();
  const readGrown = await watch(options, trialId);
  await sleepFor(Math.min(2000, Math.max(500, plan.mostMs / 5)), { signal, timers });
  const grown = await readGrown();
  if ('trafficFault' in reading || 'trafficFault' in grown) return undefined;
  const { elapsedMs, cpuMs, otherCount } = grown.traffic;
  return { elapsedMs, cpuMs, readingCpuMs: reading.traffic.cpuMs, otherCount: reading.traffic.otherCount + otherCount };
}

/** To which the server records a trial's traffic: 12 letters or digits. */
const createTrialId = () => Array.from({ length: 12 }, () => Math.floor(36 * Math.random()).toString(36)).join('');

/** @param {PlannedTrial} planned @param {Options & { progress: JobsProgress }} options @returns {Promise<JobsTrial>} */
async function runTrial(planned, options) {
  const { plan, signal } = options;
  const trialId = createTrialId();
  const readGrown = await watch(options, trialId);
  const jobs = jobsOf(plan, planned.block);
  const { followed } = await followTrial(planned, { ...options, jobs, trialId });
  const grown = signal?.aborted ? {} : await readGrown();
  return { ...planned, ...followed, ...grown };
}

/** @param {PlannedTrial} planned @param {Options & { jobs: Job[], progress: JobsProgress, trialId: string }} options */
async function followTrial({ way, intervalMs }, options) {
  const { plan, trialId, createClient, now, signal, timers = globalThis } = options;
  const users = Array.from({ length: plan.users }, () =>
    deliveries[way].create({ client: createClient(), trialId, now, timers, intervalMs }),
  );
  const userOf = (/** @type {number} */ job) => users[Math.floor(job / plan.jobs)];
  const step = plan.jobs / openJobCountOf(plan);
  const queues = Array.from({ length: options.jobs.length / step }, (__, i) =>
    Array.from({ length: step }, (___, place) => i * step + place),
  );
  const { lost, ...ended } = await followAll({ ...options, queues, userOf, timers, limitMs: plan.limitMs });
  const closed = Promise.all(users.map((user) => user.close()));
  const protocol = protocolsOf(users).sort().join(', ');
  // A cancelled run ends at once, and what is still open is recorded too late for it.
  if (!signal?.aborted && !lost) await closed;
  const counts = users.map(({ requestCount }) => requestCount);
  const requestCount = counts.includes(undefined) ? undefined : sumOf(counts, (count) => count);
  return { lost, followed: { ...(protocol && { protocol }), ...ended, requestCount } };
}
