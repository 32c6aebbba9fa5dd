/** The delivery methods that create a job by a request: polling, long polling, and server-sent events. */
import { abortable, createAbortListener } from '../../base/async.js';
import { createChannel } from '../channel/channel.js';
import { kinds } from '../channel/index.js';
import { ExchangeError, parseAnswer } from '../exchange-error.js';
import { failureOf } from '../http.js';
import { parseDone, parseId, queryOf } from './job.js';

/**
 * @import { Timers } from '../../base/async.js'
 * @import { Channel } from '../channel/channel.js'
 * @import { Job, JobClient, DeliveryOptions, DeliveryUser } from './index.js'
 * @typedef {{ resolve: (message: { answer: any, notifiedAtMs: number }) => void, reject: (reason: unknown) => void }} Waiting
 * @typedef {object} Group the jobs of one stream
 * @property {Map<string, Waiting>} waiting by id, those that are neither notified of nor given up
 * @property {Channel} [stream] absent before it is opened
 */

/** Proxies tend to close a request that is silent for 30 s or 60 s. */
export const WAIT_MS = 25_000;

/**
 * Polls an interval after the creation, and after each answer.
 * @param {DeliveryOptions} options @returns {DeliveryUser}
 */
export function createPoll({ intervalMs = 0, timers = globalThis, ...options }) {
  return createPolling(options, '', (signal) => createPause(timers, intervalMs, signal));
}

/** Sends a request that is answered when the job is done. @param {DeliveryOptions} options @returns {DeliveryUser} */
export const createLongPoll = (options) => createPolling(options, `?wait=${WAIT_MS}`);

/**
 * @param {DeliveryOptions} options @param {string} query of a job's URL
 * @param {(signal?: AbortSignal) => () => Promise<void>} [openPause] of a job, before each poll @returns {DeliveryUser}
 */
function createPolling({ client, endpoint, trialId, now }, query, openPause) {
  const user = createHttpUser({ client, endpoint, trialId });
  /** @type {DeliveryUser['follow']} */
  const follow = async (job, { signal, onCreated } = {}) => {
    const sentAtMs = now();
    const id = await user.create(job, signal);
    const createdAtMs = now();
    onCreated?.(createdAtMs);
    const pause = openPause?.(signal);
    for (let pollCount = 1; ; pollCount++) {
      if (pause) await pause();
      const answer = await user.send('GET', `${endpoint}/${id}${query}`, signal);
      if (answer.complete !== true) continue;
      return { sentAtMs, createdAtMs, notifiedAtMs: now(), ...parseDone(answer, job), pollCount };
    }
  };
  return Object.assign(user, { follow });
}

/**
 * Creates the pauses of one job, one after the other. It listens to the signal once, not at each of them: thousands of
 * jobs pause some ten thousand times.
 * @param {Timers} timers @param {number} ms @param {AbortSignal} [signal] of this job, ends them with its reason
 * @returns {() => Promise<void>}
 */
function createPause(timers, ms, signal) {
  /** @type {any} */
  let timer;
  /** @type {(reason: unknown) => void} */
  let reject = () => {};
  const listen = createAbortListener((reason) => {
    timers.clearTimeout(timer);
    reject(reason);
  });
  return () =>
    new Promise((resolve, giveUp) => {
      listen(signal);
      reject = giveUp;
      timer = timers.setTimeout(resolve, ms);
    });
}

/**
 * Opens a stream that notifies of all of a user's jobs. Its URL contains their IDs, so it is opened when all that were
 * requested are created, which adds to the latency of a job that is done by then; later jobs get another.
 * @param {DeliveryOptions} options @returns {DeliveryUser}
 */
export function createSse({ client, endpoint, kind, trialId, now }) {
  const user = createHttpUser({ client, endpoint, trialId });
  /** @type {Group[]} */
  const opened = [];
  /** @type {Group} */
  let next = { waiting: new Map() };
  let pendingCount = 0;

  const openWhenAllAreCreated = () => {
    if (pendingCount > 0 || next.waiting.size === 0) return;
    user.requestCount++;
    const group = next;
    const path = `${endpoint}/events?ids=${[...group.waiting.keys()].join(',')}`;
    group.stream = createChannel(client.openSocket(kind, path), kinds[kind]);
    group.stream.on({
      message: (text) => take(text, now(), group),
      // What it was closed for says all.
      end: (error, event) => rejectAll(group, event?.reason ? new ExchangeError('closed', event.reason) : error),
    });
    opened.push(group);
    next = { waiting: new Map() };
  };

  return Object.assign(user, {
    /** @type {DeliveryUser['follow']} */
    async follow(job, { signal, onCreated } = {}) {
      const sentAtMs = now();
      let createdAtMs, message;
      pendingCount++;
      try {
        const id = await user.create(job, signal);
        createdAtMs = now();
        onCreated?.(createdAtMs);
        message = waitFor(id, next, signal);
      } finally {
        pendingCount--;
        openWhenAllAreCreated();
      }
      const { answer, notifiedAtMs } = await message;
      return { sentAtMs, createdAtMs, notifiedAtMs, ...parseDone(answer, job), pollCount: 0 };
    },
    async close() {
      opened.forEach(end);
      client.close();
    },
  });
}

/** @param {string} id @param {Group} group @param {AbortSignal} [signal] @returns {Promise<Parameters<Waiting['resolve']>[0]>} */
function waitFor(id, group, signal) {
  return abortable(signal, (resolve, reject) => {
    group.waiting.set(id, { resolve, reject });
    return () => forget(id, group);
  });
}

/** @param {string} text @param {number} notifiedAtMs @param {Group} group */
function take(text, notifiedAtMs, group) {
  try {
    const answer = parseAnswer(text);
    group.waiting.get(answer?.id)?.resolve({ answer, notifiedAtMs });
    forget(answer?.id, group);
  } catch (error) {
    // Nobody knows which job this was about, so all that wait for the stream fail.
    rejectAll(group, error);
  }
}

/** @param {Group} group @param {unknown} reason */
function rejectAll(group, reason) {
  for (const { reject } of group.waiting.values()) reject(reason);
  group.waiting.clear();
  end(group);
}

/** Forgets a job. The stream of the others goes on, and ends with the last. @param {string} id @param {Group} group */
function forget(id, group) {
  if (group.waiting.delete(id) && group.waiting.size === 0) end(group);
}

/** @param {Group} group */
function end(group) {
  group.stream?.on({});
  group.stream?.end();
  group.stream = undefined;
}

/**
 * Creates a user over HTTP, whose requests reject with an ExchangeError.
 * @param {{ client: JobClient, endpoint: string, trialId: string }} options
 */
function createHttpUser({ client, endpoint, trialId }) {
  const user = {
    requestCount: 0,
    get protocol() {
      return client.protocol();
    },
    /** @param {string} method @param {string} path @param {AbortSignal} [signal] @returns {Promise<any>} the answer */
    async send(method, path, signal) {
      user.requestCount++;
      const { status, answer } = await client.request(method, path, { signal });
      if (status >= 400 || answer === undefined) throw failureOf(status, answer);
      return answer;
    },
    /** @param {Job} job @param {AbortSignal} [signal] @returns {Promise<string>} its id */
    create: async (job, signal) => parseId(await user.send('POST', `${endpoint}?${queryOf(job, trialId)}`, signal)),
    close: async () => client.close(),
  };
  return user;
}
