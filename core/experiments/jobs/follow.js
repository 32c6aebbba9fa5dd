/** Follows the jobs of a trial from their creation until each is notified, has failed, or is late. */
import { ExchangeError, isFailure } from '../../net/exchange-error.js';
import { drawDurationMs } from '../../net/delivery/job.js';

/**
 * @import { Timers } from '../../base/async.js'
 * @import { Now } from '../../base/clock.js'
 * @import { Job, DeliveryUser, Notification } from '../../net/delivery/index.js'
 * @import { JobsTrial, NotifiedJobs } from './schema.js'
 * @import { Options } from './measure.js'
 * @typedef {object} JobsProgress the state of the jobs, for views; times are readings of `now`, or NaN: not yet
 * @property {number} completedCount
 * @property {number} totalCount
 * @property {Float64Array} durationMs
 * @property {Float64Array} createdAtMs
 * @property {Float64Array} notifiedAtMs
 * @property {Uint8Array} failed
 */

/** @param {readonly Job[]} jobs @returns {JobsProgress} */
export const createProgress = (jobs) => ({
  completedCount: 0,
  totalCount: jobs.length,
  durationMs: Float64Array.from(jobs, drawDurationMs),
  createdAtMs: new Float64Array(jobs.length).fill(NaN),
  notifiedAtMs: new Float64Array(jobs.length).fill(NaN),
  failed: new Uint8Array(jobs.length),
});

/**
 * Creates the first job of each queue at once, each next one when the one before has ended, and waits until each is
 * notified, or has failed. Thousands may be open: each has one timer and one signal. `lost`: the server was, and all
 * that were open have failed by it.
 * @param {object} options
 * @param {readonly Job[]} options.jobs
 * @param {readonly (readonly number[])[]} options.queues
 * @param {(job: number) => DeliveryUser} options.userOf
 * @param {number} options.limitMs of each job
 * @param {JobsProgress} options.progress
 * @param {Now} options.now
 * @param {Timers} options.timers
 * @param {AbortSignal} [options.signal]
 * @param {Options['reach']} [options.reach]
 */
export async function followAll({ jobs, queues, userOf, limitMs, progress, now, timers, signal, reach }) {
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
  /** @type {Promise<ExchangeError | undefined> | undefined} absent if the server still answers */
  let loss;
  // A connection may close for another reason; if the server is lost, nobody waits for the other jobs.
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
      // A cancelled job did not fail: it is not counted.
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
    const dated = dateFailures(failures, progress, startedAtMs);
    return { lost, startedAtMs, elapsedMs, notified: columnsOf(notifications, startedAtMs), failures: dated };
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}

/**
 * Says of each failure when its job was created, if it was; in the order of the jobs.
 * @param {JobsTrial['failures']} failures @param {JobsProgress} progress @param {number} startedAtMs
 */
const dateFailures = (failures, progress, startedAtMs) =>
  failures
    .map((failure) => {
      const createdAtMs = toMicroseconds(progress.createdAtMs[failure.job] - startedAtMs);
      return Number.isNaN(createdAtMs) ? failure : { ...failure, createdAtMs };
    })
    .sort((a, b) => a.job - b.job);

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

/** Rounds to microseconds: no clock here is finer, and a document of many jobs is half as long. @param {number} ms */
const toMicroseconds = (ms) => Math.round(ms * 1000) / 1000;
