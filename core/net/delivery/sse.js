/**
 * Server-sent events: jobs are made by POST, and one stream tells of all of a user's.
 *
 * The stream's address names its jobs, so it is opened when all that were asked for are made. (A job that is done by then
 * is told of as soon as it opens, which its lag shows.) Jobs that are made later get a stream of their own.
 */
import { abortable } from '../../base/abortable.js';
import { ExchangeError, parseAnswer } from '../exchange-error.js';
import { parseDone } from './job-answer.js';
import { createHttpUser } from './requests.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { EventStream, FollowOptions, Job, JobClient, WayOptions, WayUser } from './index.js'
 */

/**
 * @typedef {{ answer: any, toldAtMs: number }} Word
 * @typedef {{ resolve: (word: Word) => void, reject: (reason: unknown) => void }} Waiting
 *
 * @typedef {object} Group the jobs of one stream
 * @property {Map<string, Waiting>} waiting by id, those that are neither told of nor given up
 * @property {EventStream} [stream] absent before it is opened
 */

/** @param {WayOptions} options @returns {WayUser} */
export function createSse({ client, run, now }) {
  const user = createHttpUser({ client, run });
  /** @type {Group[]} */
  const opened = [];
  /** @type {Group} */
  let next = { waiting: new Map() };
  let beingMadeCount = 0;

  const openWhenAllAreMade = () => {
    if (beingMadeCount > 0 || next.waiting.size === 0) return;
    user.requestCount++;
    openStream(next, client, now);
    opened.push(next);
    next = { waiting: new Map() };
  };

  /** @param {Job} job @param {FollowOptions} options */
  const make = async (job, { signal, onCreated }) => {
    beingMadeCount++;
    try {
      const id = await user.create(job, signal);
      const createdAtMs = now();
      onCreated?.(createdAtMs);
      return { createdAtMs, told: waitFor(id, next, signal) };
    } finally {
      beingMadeCount--;
      openWhenAllAreMade();
    }
  };

  return Object.assign(user, {
    /** @type {WayUser['follow']} */
    async follow(job, options = {}) {
      const sentAtMs = now();
      const { createdAtMs, told } = await make(job, options);
      const { answer, toldAtMs } = await told;
      return { sentAtMs, createdAtMs, toldAtMs, ...parseDone(answer, job), pollCount: 0 };
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

/** @param {string} id @param {Group} group @param {AbortSignal} [signal] @returns {Promise<Word>} */
function waitFor(id, group, signal) {
  return abortable(signal, (resolve, reject) => {
    group.waiting.set(id, { resolve, reject });
    return () => forget(id, group);
  });
}

/** @param {string} text @param {number} toldAtMs @param {Group} group */
function take(text, toldAtMs, group) {
  try {
    const answer = parseAnswer(text);
    group.waiting.get(answer?.id)?.resolve({ answer, toldAtMs });
    forget(answer?.id, group);
  } catch (error) {
    // Of which job it was to tell nobody knows: the stream is not to be relied on.
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
