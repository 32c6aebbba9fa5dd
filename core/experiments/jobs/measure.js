/**
 * Polling or push, the experiment of 2018. A trial creates the jobs of all users, by one delivery method, and waits
 * until each is notified, has failed, or is late. Before and after the server reports its CPU time and traffic.
 */
import { sleep as sleepFor } from '../../base/async.js';
import { createId } from '../../base/random.js';
import { sumOf } from '../../base/statistics.js';
import { protocolsOf } from '../../experiment/trials.js';
import { createDeliveryUser } from '../../net/delivery/index.js';
import { drawDurationMs } from '../../net/delivery/job.js';
import { watchTraffic } from '../../net/delivery/traffic.js';
import { runTrial as runEchoTrial } from '../../net/echo/trial.js';
import { ExchangeError, isFailure } from '../../net/exchange-error.js';
import { labelWithin } from '../../net/labels.js';
import { jobsOf, openJobCountOf, trialsOf } from './plan.js';

/**
 * @import { Timers } from '../../base/async.js'
 * @import { FaultWatch, Measurement } from '../../experiment/contract.js'
 * @import { Now } from '../../base/clock.js'
 * @import { Job, JobClient, DeliveryUser, Notification } from '../../net/delivery/index.js'
 * @import { ReadTraffic } from '../../net/delivery/traffic.js'
 * @import { BeforeTrials, JobsTrial, NotifiedJobs } from './schema.js'
 * @import { JobsPlan, PlannedTrial } from './plan.js'
 * @typedef {object} Options `readRoundTrips`: milliseconds each; `warmUpRounds`: by each delivery method, not counted
 * @property {JobsPlan} plan
 * @property {() => JobClient} createClient one for each user
 * @property {ReadTraffic} readTraffic
 * @property {() => Promise<number[]>} readRoundTrips
 * @property {() => Promise<void>} [reach] asks the server; throws an ExchangeError where no answer came
 * @property {Now} now
 * @property {number} [warmUpRounds]
 * @property {AbortSignal} [signal]
 * @property {Timers} [timers]
 * @typedef {ReturnType<typeof createProgress>} JobsProgress
 */

/** Not counted: a server compiles code on first use, which would count for whatever trial comes first. */
const WARM_UP = { arrangement: 'all', minMs: 0, maxMs: 40, limitMs: 2000, intervalMs: 10, maxUsers: 10 };
export const WARM_UP_ROUNDS = 5;

/** @type {Measurement<Options, PlannedTrial, JobsTrial, BeforeTrials>} */
export const measurement = {
  schema: 'sockshootout/jobs/2',
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

/** In ms. @param {Pick<Parameters<typeof runEchoTrial>[0], 'transport' | 'now' | 'signal'>} options */
export async function measureRoundTrips(options) {
  const { samples } = await runEchoTrial({ ...options, iterations: 10, warmUpCount: 3 });
  return samples.roundTripMs;
}

/**
 * A lost server ends the run; a delivery method that never worked does not, as long as another one did.
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

/** What fails here fails in its trial, too; but where the server is lost no trial is made. @param {Options} options */
async function warmUp(options) {
  const { plan, signal } = options;
  const { intervalMs, maxUsers, ...short } = WARM_UP;
  const few = { ...plan, ...short, users: Math.min(plan.users, maxUsers) };
  const jobs = jobsOf(few);
  const trialId = createTrialId();
  for (const delivery of plan.deliveries) {
    if (signal?.aborted) return;
    const progress = createProgress(jobs);
    const { lost } = await followTrial({ delivery, intervalMs }, { ...options, plan: few, jobs, progress, trialId });
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
  await sleepFor(Math.min(2000, Math.max(500, plan.maxMs / 5)), { signal, timers });
  const grown = await readGrown();
  if ('trafficFault' in reading || 'trafficFault' in grown) return undefined;
  const { elapsedMs, cpuMs, otherCount } = grown.traffic;
  return { elapsedMs, cpuMs, readingCpuMs: reading.traffic.cpuMs, otherCount: reading.traffic.otherCount + otherCount };
}

/** To which the server records a trial's traffic. */
const createTrialId = () => createId(12);

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
  // A cancelled run ends at once, and what is still open is recorded too late for it.
  if (!signal?.aborted && !lost) await closed;
  const counts = users.map(({ requestCount }) => requestCount);
  const requestCount = counts.includes(undefined) ? undefined : sumOf(counts, (count) => count);
  return { lost, followed: { ...(protocol && { protocol }), ...ended, requestCount } };
}

/** The state of the jobs, for views; times are readings of `now`, or NaN: not yet. @param {readonly Job[]} jobs */
const createProgress = (jobs) => ({
  completedCount: 0,
  durationMs: Float64Array.from(jobs, drawDurationMs),
  createdAtMs: new Float64Array(jobs.length).fill(NaN),
  notifiedAtMs: new Float64Array(jobs.length).fill(NaN),
  failed: new Uint8Array(jobs.length),
});

/**
 * Creates the first job of each queue at once, each next one when the one before has ended, and waits until each is
 * notified, or has failed. Thousands may be open: each has one timer and one signal. `lost`: the server was, and all
 * that were open have failed by it.
 * @param {Pick<Options, 'now' | 'signal' | 'reach'> & { jobs: readonly Job[], queues: readonly (readonly number[])[],
 *   userOf: (job: number) => DeliveryUser, limitMs: number, progress: JobsProgress, timers: Timers }} options
 */
async function followAll({ jobs, queues, userOf, limitMs, progress, now, timers, signal, reach }) {
  const startedAtMs = now();
  /** @type {(Notification | undefined)[]} */
  const notifications = Array.from({ length: jobs.length });
  /** @type {JobsTrial['failures']} */
  const failures = [];
  /** @type {Map<number, AbortController>} */
  const open = new Map(jobs.map((_, job) => [job, new AbortController()]));
  const abortAll = (/** @type {unknown} */ reason) => {
    for (const controller of open.values()) controller.abort(reason);
  };
  const onAbort = () => abortAll(new ExchangeError('aborted', 'Cancelled.'));
  /** @type {Promise<ExchangeError | undefined> | undefined} absent where the server still answers */
  let loss;
  // A connection may close for a reason of its own; where the server is lost nobody waits for the other jobs.
  const askServer = async () => {
    try {
      await reach?.();
      loss = undefined;
    } catch (error) {
      abortAll(error);
      return /** @type {ExchangeError} */ (error);
    }
  };

  /** @param {number} job */
  const follow = async (job) => {
    const controller = /** @type {AbortController} */ (open.get(job));
    const giveUpLater = (/** @type {string} */ message) =>
      timers.setTimeout(() => controller.abort(new ExchangeError('timeout', message)), limitMs);
    let timer = giveUpLater(`Not created within ${limitMs} ms.`);
    /** @param {number} createdAtMs */
    const onCreated = (createdAtMs) => {
      progress.createdAtMs[job] = createdAtMs;
      timers.clearTimeout(timer);
      if (!controller.signal.aborted) timer = giveUpLater(`No notification within ${limitMs} ms.`);
    };
    try {
      controller.signal.throwIfAborted();
      const notification = await userOf(job).follow(jobs[job], { signal: controller.signal, onCreated });
      notifications[job] = notification;
      progress.createdAtMs[job] = notification.createdAtMs;
      progress.notifiedAtMs[job] = notification.notifiedAtMs;
    } catch (/** @type {any} */ error) {
      if (error.outcome === 'closed') loss ??= askServer();
      const cause = controller.signal.aborted ? controller.signal.reason : error;
      if (!(cause instanceof ExchangeError)) throw cause;
      // What the visitor cancelled did not fail: it is not counted.
      if (!isFailure(cause.outcome)) return;
      failures.push({ job, outcome: cause.outcome, message: cause.message });
      progress.failed[job] = 1;
    } finally {
      timers.clearTimeout(timer);
      open.delete(job);
    }
    progress.completedCount++;
  };

  signal?.addEventListener('abort', onAbort);
  if (signal?.aborted) onAbort();
  try {
    await Promise.all(
      queues.map(async (queue) => {
        for (const job of queue) await follow(job);
      }),
    );
    const lost = await loss;
    const elapsedMs = toMicroseconds(now() - startedAtMs);
    const dated = failures.map((failure) => {
      const createdAtMs = toMicroseconds(progress.createdAtMs[failure.job] - startedAtMs);
      return Number.isNaN(createdAtMs) ? failure : { ...failure, createdAtMs };
    });
    dated.sort((a, b) => a.job - b.job);
    return { lost, startedAtMs, elapsedMs, notified: columnsOf(notifications, startedAtMs), failures: dated };
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}

/** @param {(Notification | undefined)[]} notifications by job @param {number} startedAtMs @returns {NotifiedJobs} */
function columnsOf(notifications, startedAtMs) {
  const known = notifications.filter((one) => one !== undefined);
  const firstCreateTime = known.reduce((first, { createTime }) => Math.min(first, createTime), Infinity);
  const since = (/** @type {number} */ ms) => toMicroseconds(ms - startedAtMs);
  return {
    job: [...notifications.keys()].filter((job) => notifications[job]),
    sentAtMs: known.map(({ sentAtMs }) => since(sentAtMs)),
    createdAtMs: known.map(({ createdAtMs }) => since(createdAtMs)),
    notifiedAtMs: known.map(({ notifiedAtMs }) => since(notifiedAtMs)),
    durationMs: known.map(({ durationMs }) => durationMs),
    madeAtMs: known.map(({ createTime }) => createTime - firstCreateTime),
    pollCount: known.map(({ pollCount }) => pollCount),
  };
}

/** No clock here is finer, and a document of many jobs is half as long. @param {number} ms */
const toMicroseconds = (ms) => Math.round(ms * 1000) / 1000;
