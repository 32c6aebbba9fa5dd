/**
 * Server-sent events: jobs are created by POST, and one stream notifies of all of a user's.
 *
 * The stream's address names its jobs, so it is opened when all that were requested are created. (The notification of a job
 * that is done by then comes as soon as it opens, which is in its latency.) Jobs that are created later get another stream.
 */
import { abortable } from '../../base/async.js';
import { ExchangeError, parseAnswer } from '../exchange-error.js';
import { parseDone } from './job-answer.js';
import { createHttpUser } from './requests.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { EventStream, FollowOptions, Job, JobClient, DeliveryOptions, DeliveryUser } from './index.js'
 */

/**
 * @typedef {{ answer: any, notifiedAtMs: number }} Message
 * @typedef {{ resolve: (message: Message) => void, reject: (reason: unknown) => void }} Waiting
 *
 * @typedef {object} Group the jobs of one stream
 * @property {Map<string, Waiting>} waiting by id, those that are neither notified of nor given up
 * @property {EventStream} [stream] absent before it is opened
 */

/** @param {DeliveryOptions} options @returns {DeliveryUser} */
export function createSse({ client, trialId, now }) {
  const user = createHttpUser({ client, trialId });
  /** @type {Group[]} */
  const opened = [];
  /** @type {Group} */
  let next = { waiting: new Map() };
  let pendingCount = 0;

  const openWhenAllAreCreated = () => {
    if (pendingCount > 0 || next.waiting.size === 0) return;
    user.requestCount++;
    openStream(next, client, now);
    opened.push(next);
    next = { waiting: new Map() };
  };

  /** @param {Job} job @param {FollowOptions} options */
  const make = async (job, { signal, onCreated }) => {
    pendingCount++;
    try {
      const id = await user.create(job, signal);
      const createdAtMs = now();
      onCreated?.(createdAtMs);
      return { createdAtMs, message: waitFor(id, next, signal) };
    } finally {
      pendingCount--;
      openWhenAllAreCreated();
    }
  };

  return Object.assign(user, {
    /** @type {DeliveryUser['follow']} */
    async follow(job, options = {}) {
      const sentAtMs = now();
      const { createdAtMs, message } = await make(job, options);
      const { answer, notifiedAtMs } = await message;
      return { sentAtMs, createdAtMs, notifiedAtMs, ...parseDone(answer, job), pollCount: 0 };
    },
    async close() {
      opened.forEach(end);
      client.close();
    },
  });
}

/** @param {Group} group @param {JobClient} client @param {Now} now */
function openStream(group, client, now) {
  const stream = client.openEvents(`/job/events?ids=${[...group.waiting.keys()].join(',')}`);
  group.stream = stream;
  stream.onmessage = (text) => take(text, now(), group);
  stream.onclose = (reason) => rejectAll(group, new ExchangeError('closed', reason));
}

/** @param {string} id @param {Group} group @param {AbortSignal} [signal] @returns {Promise<Message>} */
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

/** The others go on; for none there is no stream. @param {string} id @param {Group} group */
function forget(id, group) {
  if (group.waiting.delete(id) && group.waiting.size === 0) end(group);
}

/** @param {Group} group */
function end(group) {
  group.stream?.close();
  group.stream = undefined;
}
