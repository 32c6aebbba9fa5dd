/**
 * Polling or push, the experiment of 2018: jobs that are done after a random time, and delivery methods by which clients
 * find out.
 *
 * A trial creates all jobs of all users at once, by one delivery method, and waits until each is notified, has failed, or
 * is late. Every trial of a block has jobs of the same durations. The server reports its CPU time, and what went over its
 * sockets, before and after.
 */
import { sleep as sleepFor } from '../../base/async.js';
import { protocolsOf } from '../../experiment/trials.js';
import { ExchangeError, isFailure } from '../../net/exchange-error.js';
import { drawDurationMs } from '../../net/delivery/job.js';
import { watchTraffic } from '../../net/delivery/traffic.js';
import { runTrial as runEchoTrial } from '../../net/echo/trial.js';
import { deliveries } from '../../net/delivery/index.js';
import { labelWithin } from '../../net/labels.js';
import { jobsOf, trialsOf } from './plan.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { Timers } from '../../base/async.js'
 * @import { FaultWatch, Measurement } from '../../experiment/run.js'
 * @import { Job, JobClient, Notification, DeliveryOptions, DeliveryUser } from '../../net/delivery/index.js'
 * @import { ReadTraffic, Traffic, TrafficFault } from '../../net/delivery/traffic.js'
 * @import { FailureOutcome } from '../../net/exchange-error.js'
 * @import { JobsPlan, PlannedTrial } from './plan.js'
 */

/** How long the idle server is measured: a part of the longest duration, within bounds. */
const IDLE = { part: 1 / 5, minMs: 500, maxMs: 2000 };

const ROUND_TRIP_COUNT = 10;
const WARM_UP_COUNT = 3;

/**
 * Before anything is counted each delivery method has rounds of jobs that are done nearly at once: a server compiles code
 * on first use, which would count for whatever trial comes first.
 */
const WARM_UP = { maxUsers: 10, mostMs: 40, intervalMs: 10, limitMs: 2000 };
export const WARM_UP_ROUNDS = 5;

const ID_LENGTH = 12;
const ID_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * @typedef {object} JobsProgress the state of a trial's jobs, kept up to date, for views to read when they please; each list
 *   has a place for every job; times are readings of `now`
 * @property {number} completedCount notified, or failed
 * @property {Float64Array} durationMs as drawn
 * @property {Float64Array} createdAtMs NaN: not yet
 * @property {Float64Array} notifiedAtMs NaN: not yet
 * @property {Uint8Array} failed 1: it has
 *
 * @typedef {object} NotifiedJobs as documents have them: an entry in each list per job that was notified; times
 *   since the trial's start
 * @property {number[]} job counted from 0, rising
 * @property {number[]} sentAtMs
 * @property {number[]} createdAtMs
 * @property {number[]} toldAtMs
 * @property {number[]} durationMs
 * @property {number[]} madeAtMs by the server's clock, whole ms since the first of these was created
 * @property {number[]} pollCount
 *
 * @typedef {object} JobFailure
 * @property {number} job
 * @property {FailureOutcome} outcome `timeout`: late
 * @property {string} message
 * @property {number} [createdAtMs] since the trial's start; absent where its creation was not confirmed
 *
 * @typedef {object} JobsTrial
 * @property {string} way its delivery method
 * @property {number} [intervalMs] of polling
 * @property {number} [block] counted from 0; absent where the plan has one
 * @property {string} [protocol] what was negotiated, with commas where users got different ones
 * @property {number} startedAtMs since the run's start
 * @property {number} elapsedMs until the last job was notified, or failed
 * @property {NotifiedJobs} told
 * @property {JobFailure[]} failures
 * @property {number} [requestCount] HTTP requests and upgrades, by the client; absent where it does not know
 * @property {Traffic} [traffic] by the server
 * @property {TrafficFault} [trafficFault] why there is none; absent where the run ended
 *
 * @typedef {object} Idle what the server did when idle
 * @property {number} elapsedMs
 * @property {number} cpuMs one reading in it
 * @property {number} readingCpuMs of a reading: the difference of two with nothing between them
 * @property {number} otherCount what it served in that time
 *
 * @typedef {object} BeforeTrials
 * @property {number[]} roundTripMs of echoes over a warm connection; none where no answer came
 * @property {Idle} [idle] absent where the server could not be asked
 */

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

/**
 * @param {Options} options
 * @returns {Promise<BeforeTrials>}
 * @throws {ExchangeError} where the server cannot be reached
 */
async function prepare({ plan, readRoundTrips, warmUpRounds = 0, timers = globalThis, ...options }) {
  const { signal, reach } = options;
  const roundTripMs = signal?.aborted ? [] : await readRoundTrips();
  for (let round = 0; round < warmUpRounds; round++) await warmUp({ ...options, plan, timers });
  if (signal?.aborted) return { roundTripMs };
  const idle = await measureIdle({ ...options, mostMs: plan.mostMs, sleep: (ms) => sleepFor(ms, { signal, timers }) });
  if (!idle && !signal?.aborted) await reach?.();
  return { roundTripMs, idle };
}

/**
 * A few echoes one after the other, of which the shortest stands for the network's round-trip time.
 *
 * @param {Pick<Parameters<typeof runEchoTrial>[0], 'transport' | 'now' | 'signal'>} options `transport` over HTTP
 * @returns {Promise<number[]>} milliseconds each; none where no answer came
 */
export async function measureRoundTrips(options) {
  const { samples } = await runEchoTrial({ ...options, iterations: ROUND_TRIP_COUNT, warmUpCount: WARM_UP_COUNT });
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
      const isLost = isLoss(trial, trials);
      trials.push(trial);
      if (!isLost) return undefined;
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

/**
 * @param {JobsTrial} trial @param {readonly JobsTrial[]} before
 * @returns {boolean} did a job fail that had been created, or any, and the server no longer answers?
 */
function isLoss({ told, failures, trafficFault }, before) {
  const closed = failures.filter(({ outcome }) => outcome === 'closed');
  const isGone = told.job.length === 0 && trafficFault === 'unread' && before.some(({ traffic }) => traffic);
  return closed.some(({ createdAtMs }) => isGone || createdAtMs !== undefined);
}

/**
 * What fails here fails in its trial, too; but where the server is lost no trial needs to be made.
 * @param {Pick<Options, 'createClient' | 'now' | 'signal' | 'reach'> & { plan: JobsPlan, timers: Timers }} options
 * @throws {ExchangeError} where the server is lost
 */
async function warmUp({ plan, createClient, now, signal, timers, reach }) {
  const { intervalMs } = WARM_UP;
  const few = { ...plan, users: Math.min(plan.users, WARM_UP.maxUsers), leastMs: 0, mostMs: WARM_UP.mostMs };
  const jobs = jobsOf(few);
  const trialId = createTrialId();
  for (const way of plan.ways) {
    if (signal?.aborted) return;
    const users = createUsers({ way, intervalMs }, few, { createClient, trialId, now, timers });
    const progress = createProgress(jobs);
    const record = createRecord(jobs.length, progress);
    const userOf = (/** @type {number} */ job) => users[Math.floor(job / few.jobs)];
    const lost = await followAll({ jobs, limitMs: WARM_UP.limitMs, record, progress, timers, signal, userOf, reach });
    const closed = Promise.all(users.map((user) => user.close()));
    if (lost) throw lost;
    if (!signal?.aborted) await closed;
  }
}

/**
 * @param {PlannedTrial} trial
 * @param {Pick<JobsPlan, 'users'>} plan
 * @param {Omit<DeliveryOptions, 'client' | 'intervalMs'> & Pick<Options, 'createClient'>} options
 */
function createUsers({ way, intervalMs }, { users }, { createClient, ...options }) {
  return Array.from({ length: users }, () =>
    deliveries[way].create({ ...options, client: createClient(), intervalMs }),
  );
}

/** @param {Pick<Options, 'readTraffic' | 'now'> & { mostMs: number, sleep: (ms: number) => Promise<void> }} options */
async function measureIdle({ readTraffic, now, mostMs, sleep }) {
  const watch = { readTraffic, trialId: createTrialId(), now, sleep };
  // The first reading finds cold code, and costs several times as much.
  await readTraffic(watch.trialId);
  const reading = await (await watchTraffic(watch))();
  const readGrown = await watchTraffic(watch);
  await sleep(Math.min(IDLE.maxMs, Math.max(IDLE.minMs, mostMs * IDLE.part)));
  const grown = await readGrown();
  if ('trafficFault' in reading || 'trafficFault' in grown) return undefined;
  const { elapsedMs, cpuMs, otherCount } = grown.traffic;
  return { elapsedMs, cpuMs, readingCpuMs: reading.traffic.cpuMs, otherCount: reading.traffic.otherCount + otherCount };
}

/** @returns {string} to which the server records a trial's traffic */
function createTrialId() {
  const letter = () => ID_LETTERS[Math.floor(Math.random() * ID_LETTERS.length)];
  return Array.from({ length: ID_LENGTH }, letter).join('');
}

/** @param {PlannedTrial} planned @param {Options & { progress: JobsProgress }} options @returns {Promise<JobsTrial>} */
async function runTrial(planned, { plan, createClient, readTraffic, now, signal, timers = globalThis, ...options }) {
  const { progress, reach } = options;
  const jobs = jobsOf(plan, planned.block);
  const trialId = createTrialId();
  const readGrown = await watchTraffic({ readTraffic, trialId, now, sleep: (ms) => sleepFor(ms, { signal, timers }) });
  const users = createUsers(planned, plan, { createClient, trialId, now, timers });
  const record = createRecord(jobs.length, progress);
  const startedAtMs = now();
  const lost = await followAll({
    jobs,
    reach,
    limitMs: plan.limitMs,
    record,
    progress,
    timers,
    signal,
    userOf: (job) => users[Math.floor(job / plan.jobs)],
  });
  const elapsedMs = now() - startedAtMs;
  const closed = Promise.all(users.map((user) => user.close()));
  const protocol = protocolsOf(users).sort().join(', ');
  // A cancelled run ends at once, and what is still open is recorded too late for it.
  if (!signal?.aborted && !lost) await closed;
  const grown = signal?.aborted ? {} : await readGrown();
  return {
    ...planned,
    ...(protocol && { protocol }),
    startedAtMs,
    elapsedMs: toMicroseconds(elapsedMs),
    ...record.result(startedAtMs),
    requestCount: requestCountOf(users),
    ...grown,
  };
}

/**
 * Creates all jobs at once, and waits until each is notified, or has failed. Thousands may be open: each has one timer and
 * one signal, and nothing is done for it between its events.
 *
 * @param {object} options
 * @param {readonly Job[]} options.jobs
 * @param {(job: number) => DeliveryUser} options.userOf
 * @param {number} options.limitMs
 * @param {ReturnType<typeof createRecord>} options.record
 * @param {JobsProgress} options.progress
 * @param {Timers} options.timers
 * @param {AbortSignal} [options.signal] gives all up that are open
 * @param {Options['reach']} [options.reach]
 * @returns {Promise<ExchangeError | undefined>} where the server was lost: all that were open have failed by it
 */
function followAll({ jobs, userOf, limitMs, record, progress, timers, signal, reach }) {
  return new Promise((resolve, reject) => {
    /** @type {Map<number, AbortController>} those that are open */
    const open = new Map();
    const abortAll = (/** @type {ExchangeError} */ reason) => {
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
        abortAll(/** @type {ExchangeError} */ (error));
        return /** @type {ExchangeError} */ (error);
      }
    };
    signal?.addEventListener('abort', onAbort);
    const end = (/** @type {number} */ job) => {
      open.delete(job);
      if (open.size > 0) return;
      signal?.removeEventListener('abort', onAbort);
      resolve(loss);
    };

    for (const job of jobs.keys()) open.set(job, new AbortController());
    if (signal?.aborted) onAbort();
    for (const [job, controller] of open) {
      const giveUp = (/** @type {string} */ message) => controller.abort(new ExchangeError('timeout', message));
      let timer = timers.setTimeout(() => giveUp(`Not created within ${limitMs} ms.`), limitMs);
      /** @param {number} createdAtMs */
      const onCreated = (createdAtMs) => {
        progress.createdAtMs[job] = createdAtMs;
        timers.clearTimeout(timer);
        if (controller.signal.aborted) return;
        timer = timers.setTimeout(() => giveUp(`No notification within ${limitMs} ms.`), limitMs);
      };
      userOf(job)
        .follow(jobs[job], { signal: controller.signal, onCreated })
        .then(
          (notification) => record.count(job, notification),
          (error) => {
            if (error.outcome === 'closed') loss ??= askServer();
            record.countFailure(job, controller.signal.aborted ? controller.signal.reason : error);
          },
        )
        .then(() => {
          timers.clearTimeout(timer);
          end(job);
        }, reject);
    }
  });
}

/** @param {readonly Job[]} jobs @returns {JobsProgress} */
function createProgress(jobs) {
  return {
    completedCount: 0,
    durationMs: Float64Array.from(jobs, drawDurationMs),
    createdAtMs: new Float64Array(jobs.length).fill(NaN),
    notifiedAtMs: new Float64Array(jobs.length).fill(NaN),
    failed: new Uint8Array(jobs.length),
  };
}

/** Where a trial's jobs are kept. @param {number} jobCount @param {JobsProgress} progress is kept up to date */
function createRecord(jobCount, progress) {
  /** @type {(Notification | undefined)[]} */
  const notifications = Array.from({ length: jobCount });
  /** @type {JobFailure[]} */
  const failures = [];

  return {
    /** @param {number} job @param {Notification} notification */
    count(job, notification) {
      notifications[job] = notification;
      progress.createdAtMs[job] = notification.createdAtMs;
      progress.notifiedAtMs[job] = notification.notifiedAtMs;
      progress.completedCount++;
    },

    /**
     * What the visitor cancelled did not fail: it is not counted.
     *
     * @param {number} job
     * @param {unknown} error
     * @throws {unknown} the error, where it is not an ExchangeError
     */
    countFailure(job, error) {
      if (!(error instanceof ExchangeError)) throw error;
      if (!isFailure(error.outcome)) return;
      failures.push({ job, outcome: error.outcome, message: error.message });
      progress.failed[job] = 1;
      progress.completedCount++;
    },

    /** @param {number} startedAtMs @returns {Pick<JobsTrial, 'told' | 'failures'>} */
    result(startedAtMs) {
      const dated = failures.map((failure) => {
        const createdAtMs = toMicroseconds(progress.createdAtMs[failure.job] - startedAtMs);
        return Number.isNaN(createdAtMs) ? failure : { ...failure, createdAtMs };
      });
      return { told: columnsOf(notifications, startedAtMs), failures: dated.sort((a, b) => a.job - b.job) };
    },
  };
}

/** @param {readonly (Notification | undefined)[]} notifications by job @param {number} startedAtMs @returns {NotifiedJobs} */
function columnsOf(notifications, startedAtMs) {
  const known = notifications.filter((one) => one !== undefined);
  const firstCreateTime = known.reduce((first, { createTime }) => Math.min(first, createTime), Infinity);
  const since = (/** @type {number} */ ms) => toMicroseconds(ms - startedAtMs);
  return {
    job: [...notifications.keys()].filter((job) => notifications[job]),
    sentAtMs: known.map(({ sentAtMs }) => since(sentAtMs)),
    createdAtMs: known.map(({ createdAtMs }) => since(createdAtMs)),
    toldAtMs: known.map(({ notifiedAtMs }) => since(notifiedAtMs)),
    durationMs: known.map(({ durationMs }) => durationMs),
    madeAtMs: known.map(({ createTime }) => createTime - firstCreateTime),
    pollCount: known.map(({ pollCount }) => pollCount),
  };
}

/** No clock here is finer, and a document of many jobs is half as long. @param {number} ms */
const toMicroseconds = (ms) => Math.round(ms * 1000) / 1000;

/** @param {readonly DeliveryUser[]} users */
function requestCountOf(users) {
  let sum = 0;
  for (const { requestCount } of users) {
    if (requestCount === undefined) return undefined;
    sum += requestCount;
  }
  return sum;
}
