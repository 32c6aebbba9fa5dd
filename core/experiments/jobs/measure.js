/**
 * Poll or push, the experiment of 2018: jobs that are done after a random time, and ways of learning that they are.
 *
 * A trial makes all jobs of all users at once, by one way, and waits until each is told of, has failed, or is late. Every
 * trial has jobs of the same durations. What the server was left to do, and what went over its sockets, it says itself,
 * before and after.
 */
import { sleep as sleepFor } from '../../base/sleep.js';
import { protocolsOf } from '../../experiment/any-trial.js';
import { ExchangeError, isFailure } from '../../net/exchange-error.js';
import { drawDurationMs } from '../../net/delivery/job-duration.js';
import { watchTraffic } from '../../net/delivery/traffic.js';
import { runTrial as runEchoTrial } from '../../net/echo/trial.js';
import { ways } from '../../net/delivery/index.js';
import { labelWithin } from '../../net/delivery/labels.js';
import { jobsOf, trialsOf } from './plan.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { Timers } from '../../base/sleep.js'
 * @import { FaultWatch, Measurement } from '../../experiment/run.js'
 * @import { Job, JobClient, Told, WayOptions, WayUser } from '../../net/delivery/index.js'
 * @import { ReadTraffic, Traffic, TrafficFault } from '../../net/delivery/traffic.js'
 * @import { FailureOutcome } from '../../net/exchange-error.js'
 * @import { JobsPlan, PlannedTrial } from './plan.js'
 */

/** How long the server is left alone, to see what it does by itself: a part of the longest duration, within bounds. */
const IDLE = { part: 1 / 5, leastMs: 500, mostMs: 2000 };

const ROUND_TRIP_COUNT = 10;
const WARM_UP_COUNT = 3;

/**
 * Before anything is counted each way has its rounds of jobs that are done nearly at once: a server's code is compiled while
 * it is used first, which would be booked to whatever trial comes first.
 */
const WARM_UP = { mostUsers: 10, mostMs: 40, intervalMs: 10, limitMs: 2000 };
export const WARM_UP_ROUNDS = 5;

const RUN_LENGTH = 12;
const RUN_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * @typedef {object} JobsProgress the state of a trial's jobs, kept up to date, for views to read when they please; each list
 *   has a place for every job; times are readings of `now`
 * @property {number} completedCount told of, or failed
 * @property {Float64Array} durationMs as drawn
 * @property {Float64Array} createdAtMs NaN: not yet
 * @property {Float64Array} toldAtMs NaN: not yet
 * @property {Uint8Array} failed 1: it is
 *
 * @typedef {object} ToldColumns an entry in each list per job that was told of; times since the trial's start
 * @property {number[]} job counted from 0, rising
 * @property {number[]} sentAtMs
 * @property {number[]} createdAtMs
 * @property {number[]} toldAtMs
 * @property {number[]} durationMs
 * @property {number[]} madeAtMs by the server's clock, whole ms since the first of these was made
 * @property {number[]} pollCount
 *
 * @typedef {object} JobFailure
 * @property {number} job
 * @property {FailureOutcome} outcome `timeout`: late
 * @property {string} message
 * @property {number} [createdAtMs] since the trial's start; absent where no word came that it was made
 *
 * @typedef {object} JobsTrial
 * @property {string} way
 * @property {number} [intervalMs] of polling
 * @property {string} [protocol] what was really negotiated, with commas where users got different ones
 * @property {number} startedAtMs since the run's start
 * @property {number} elapsedMs until the last job was told of, or failed
 * @property {ToldColumns} told
 * @property {JobFailure[]} failures
 * @property {number} [requestCount] HTTP requests and upgrades, by the client; absent where it cannot know
 * @property {Traffic} [traffic] by the server
 * @property {TrafficFault} [trafficFault] why there is none; absent where the run ended
 *
 * @typedef {object} Idle the server by itself
 * @property {number} elapsedMs
 * @property {number} cpuMs one reading in it
 * @property {number} readingCpuMs of a reading: the difference of two with nothing between them
 * @property {number} otherCount what it served meanwhile
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
 * @property {Now} now
 * @property {number} [warmUpRounds] by each way, not counted
 * @property {AbortSignal} [signal]
 * @property {Timers} [timers]
 */

/** @type {Measurement<Options, PlannedTrial, JobsTrial, BeforeTrials>} */
export const measurement = {
  schema: 'sockshootout/jobs/1',
  trialsOf,
  prepare,
  createProgress: (_planned, { plan }) => createProgress(jobsOf(plan)),
  runTrial,
  watchFaults,
};

/** @param {Options} options @returns {Promise<BeforeTrials>} */
async function prepare({ plan, readRoundTrips, warmUpRounds = 0, timers = globalThis, ...options }) {
  const { signal } = options;
  const roundTripMs = signal?.aborted ? [] : await readRoundTrips();
  for (let round = 0; round < warmUpRounds; round++) await warmUp({ ...options, plan, timers });
  if (signal?.aborted) return { roundTripMs };
  const idle = await measureIdle({ ...options, mostMs: plan.mostMs, sleep: (ms) => sleepFor(ms, { signal, timers }) });
  return { roundTripMs, idle };
}

/**
 * A few echoes one after the other, of which the shortest stands for the way to the server and back.
 *
 * @param {Pick<Parameters<typeof runEchoTrial>[0], 'transport' | 'now' | 'signal'>} options `transport` over HTTP
 * @returns {Promise<number[]>} milliseconds each; none where no answer came
 */
export async function measureRoundTrips(options) {
  const { samples } = await runEchoTrial({ ...options, iterations: ROUND_TRIP_COUNT, warmUpCount: WARM_UP_COUNT });
  return samples.roundTripMs;
}

/**
 * A server that goes away in the middle. What never worked is no fault of the run, as long as something did: it is counted
 * as failed, and shown.
 * @param {JobsPlan} plan @returns {FaultWatch<JobsTrial>}
 */
function watchFaults(plan) {
  const plannedCount = trialsOf(plan).length;
  /** @type {JobsTrial[]} */
  const trials = [];
  return {
    look(trial) {
      const lost = lossOf(trial, trials);
      trials.push(trial);
      if (!lost) return undefined;
      const where = `in trial ${trials.length} of ${plannedCount}, by ${labelWithin(trial.way, trial.intervalMs)}`;
      return { kind: 'invalid', reason: `The connection to the server was lost ${where}: ${lost.message}` };
    },
    lookBack() {
      if (trials.length < plannedCount || trials.some(({ told }) => told.job.length > 0)) return undefined;
      const last = trials.flatMap(({ failures }) => failures).at(-1);
      const reason = `No delivery method notified of any job; the last one: ${last?.message ?? 'it was never made.'}`;
      return { kind: 'invalid', reason };
    },
  };
}

/**
 * @param {JobsTrial} trial @param {readonly JobsTrial[]} before
 * @returns {JobFailure | undefined} of a job that had been made; of any where the server, too, cannot be asked any more
 */
function lossOf({ told, failures, trafficFault }, before) {
  const closed = failures.filter(({ outcome }) => outcome === 'closed');
  const isGone = told.job.length === 0 && trafficFault === 'unread' && before.some(({ traffic }) => traffic);
  return closed.find(({ createdAtMs }) => isGone || createdAtMs !== undefined);
}

/**
 * Whatever fails here will fail in its trial, too.
 * @param {Pick<Options, 'createClient' | 'now' | 'signal'> & { plan: JobsPlan, timers: Timers }} options
 */
async function warmUp({ plan, createClient, now, signal, timers }) {
  const { intervalMs } = WARM_UP;
  const few = { ...plan, users: Math.min(plan.users, WARM_UP.mostUsers), leastMs: 0, mostMs: WARM_UP.mostMs };
  const jobs = jobsOf(few);
  const run = createRun();
  for (const way of plan.ways) {
    if (signal?.aborted) return;
    const users = createUsers({ way, intervalMs }, few, { createClient, run, now, timers });
    const progress = createProgress(jobs);
    const record = createRecord(jobs.length, progress);
    const userOf = (/** @type {number} */ job) => users[Math.floor(job / few.jobs)];
    await followAll({ jobs, limitMs: WARM_UP.limitMs, record, progress, timers, signal, userOf });
    const closed = Promise.all(users.map((user) => user.close()));
    if (!signal?.aborted) await closed;
  }
}

/**
 * @param {PlannedTrial} trial
 * @param {Pick<JobsPlan, 'users'>} plan
 * @param {Omit<WayOptions, 'client' | 'intervalMs'> & Pick<Options, 'createClient'>} options
 */
function createUsers({ way, intervalMs }, { users }, { createClient, ...options }) {
  return Array.from({ length: users }, () => ways[way].create({ ...options, client: createClient(), intervalMs }));
}

/** @param {Pick<Options, 'readTraffic' | 'now'> & { mostMs: number, sleep: (ms: number) => Promise<void> }} options */
async function measureIdle({ readTraffic, now, mostMs, sleep }) {
  const watch = { readTraffic, run: createRun(), now, sleep };
  // The first reading finds cold code, and costs several times as much.
  await readTraffic(watch.run);
  const reading = await (await watchTraffic(watch))();
  const readGrown = await watchTraffic(watch);
  await sleep(Math.min(IDLE.mostMs, Math.max(IDLE.leastMs, mostMs * IDLE.part)));
  const grown = await readGrown();
  if ('trafficFault' in reading || 'trafficFault' in grown) return undefined;
  const { elapsedMs, cpuMs, otherCount } = grown.traffic;
  return { elapsedMs, cpuMs, readingCpuMs: reading.traffic.cpuMs, otherCount: reading.traffic.otherCount + otherCount };
}

/** @returns {string} by which the server books a trial */
function createRun() {
  const letter = () => RUN_LETTERS[Math.floor(Math.random() * RUN_LETTERS.length)];
  return Array.from({ length: RUN_LENGTH }, letter).join('');
}

/** @param {PlannedTrial} planned @param {Options & { progress: JobsProgress }} options @returns {Promise<JobsTrial>} */
async function runTrial(planned, { plan, createClient, readTraffic, now, signal, timers = globalThis, ...options }) {
  const { progress } = options;
  const jobs = jobsOf(plan);
  const run = createRun();
  const readGrown = await watchTraffic({ readTraffic, run, now, sleep: (ms) => sleepFor(ms, { signal, timers }) });
  const users = createUsers(planned, plan, { createClient, run, now, timers });
  const record = createRecord(jobs.length, progress);
  const startedAtMs = now();
  await followAll({
    jobs,
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
  // A cancelled run ends at once, and what is still open is booked too late for it.
  if (!signal?.aborted) await closed;
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
 * Makes all jobs at once, and waits until each is told of, or has failed. Thousands may be open: each has one timer and
 * one signal, and nothing is done for it between its events.
 *
 * @param {object} options
 * @param {readonly Job[]} options.jobs
 * @param {(job: number) => WayUser} options.userOf
 * @param {number} options.limitMs
 * @param {ReturnType<typeof createRecord>} options.record
 * @param {JobsProgress} options.progress
 * @param {Timers} options.timers
 * @param {AbortSignal} [options.signal] gives all up that are open
 * @returns {Promise<void>}
 */
function followAll({ jobs, userOf, limitMs, record, progress, timers, signal }) {
  return new Promise((resolve, reject) => {
    /** @type {Map<number, AbortController>} those that are open */
    const open = new Map();
    const onAbort = () => {
      const reason = new ExchangeError('aborted', 'Cancelled.');
      for (const controller of open.values()) controller.abort(reason);
    };
    signal?.addEventListener('abort', onAbort);
    const end = (/** @type {number} */ job) => {
      open.delete(job);
      if (open.size > 0) return;
      signal?.removeEventListener('abort', onAbort);
      resolve();
    };

    for (const job of jobs.keys()) open.set(job, new AbortController());
    if (signal?.aborted) onAbort();
    for (const [job, controller] of open) {
      const giveUp = (/** @type {string} */ message) => controller.abort(new ExchangeError('timeout', message));
      let timer = timers.setTimeout(() => giveUp(`Not made within ${limitMs} ms.`), limitMs);
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
          (told) => record.count(job, told),
          (error) => record.countFailure(job, controller.signal.aborted ? controller.signal.reason : error),
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
    toldAtMs: new Float64Array(jobs.length).fill(NaN),
    failed: new Uint8Array(jobs.length),
  };
}

/** Where a trial's jobs are kept. @param {number} jobCount @param {JobsProgress} progress is kept up to date */
function createRecord(jobCount, progress) {
  /** @type {(Told | undefined)[]} */
  const told = Array.from({ length: jobCount });
  /** @type {JobFailure[]} */
  const failures = [];

  return {
    /** @param {number} job @param {Told} end */
    count(job, end) {
      told[job] = end;
      progress.createdAtMs[job] = end.createdAtMs;
      progress.toldAtMs[job] = end.toldAtMs;
      progress.completedCount++;
    },

    /**
     * What the visitor gave up did not fail: it is counted as neither.
     *
     * @param {number} job
     * @param {unknown} error
     * @throws {unknown} the error, where it is none of an exchange
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
      return { told: columnsOf(told, startedAtMs), failures: dated.sort((a, b) => a.job - b.job) };
    },
  };
}

/** @param {readonly (Told | undefined)[]} told by job @param {number} startedAtMs @returns {ToldColumns} */
function columnsOf(told, startedAtMs) {
  const ends = told.filter((end) => end !== undefined);
  const firstCreateTime = ends.reduce((first, { createTime }) => Math.min(first, createTime), Infinity);
  const since = (/** @type {number} */ ms) => toMicroseconds(ms - startedAtMs);
  return {
    job: [...told.keys()].filter((job) => told[job]),
    sentAtMs: ends.map(({ sentAtMs }) => since(sentAtMs)),
    createdAtMs: ends.map(({ createdAtMs }) => since(createdAtMs)),
    toldAtMs: ends.map(({ toldAtMs }) => since(toldAtMs)),
    durationMs: ends.map(({ durationMs }) => durationMs),
    madeAtMs: ends.map(({ createTime }) => createTime - firstCreateTime),
    pollCount: ends.map(({ pollCount }) => pollCount),
  };
}

/** No clock here is finer, and a document of many jobs is half as long. @param {number} ms */
const toMicroseconds = (ms) => Math.round(ms * 1000) / 1000;

/** @param {readonly WayUser[]} users */
function requestCountOf(users) {
  let sum = 0;
  for (const { requestCount } of users) {
    if (requestCount === undefined) return undefined;
    sum += requestCount;
  }
  return sum;
}
