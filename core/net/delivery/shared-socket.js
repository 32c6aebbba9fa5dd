/**
 * One socket for all of a user's jobs: a WebSocket, or a SockJS connection. A message creates a job; the server confirms in
 * the order of the messages, and notifies of each job when it is done.
 */
import { parseJson } from '../../base/foreign-text.js';
import { ExchangeError, parseRejection } from '../exchange-error.js';
import { OPEN } from '../sockets.js';
import { parseDone, parseId } from './job-answer.js';
import { createUserSockets } from './user-sockets.js';

/**
 * @import { Socket } from '../sockets.js'
 * @import { Job, Notification, DeliveryOptions, DeliveryUser } from './index.js'
 */

/**
 * @typedef {object} Following a job, from its message to its notification
 * @property {Job} job
 * @property {number} sentAtMs
 * @property {number} createdAtMs
 * @property {((createdAtMs: number) => void) | undefined} onCreated
 * @property {(notification: Notification) => void} resolve
 * @property {(reason: unknown) => void} reject
 *
 * @typedef {object} Followed
 * @property {Following[]} requested not created yet, in the order of their messages; those given up keep their place
 * @property {Map<string, Following>} created by id
 */

/** @param {DeliveryOptions} options @returns {DeliveryUser} */
export function createPush(options) {
  // Its upgrade.
  return createSharedSocket(
    options,
    () => options.client.openSocket(`/ws/jobs?run=${options.trialId}`),
    () => 1,
  );
}

/** @param {DeliveryOptions} options @returns {DeliveryUser} */
export function createSockjsPush(options) {
  // `/info` and the upgrade; how many requests another of its transports makes, or tries, the library does not say.
  const requestCountOf = (/** @type {string | undefined} */ protocol) => (protocol === 'websocket' ? 2 : undefined);
  return createSharedSocket(options, () => options.client.openSockjs(`/jobs?run=${options.trialId}`), requestCountOf);
}

/**
 * @param {DeliveryOptions} options
 * @param {() => Socket} open begins to connect
 * @param {(protocol: string | undefined) => number | undefined} requestCountOf a socket that was opened
 * @returns {DeliveryUser}
 */
function createSharedSocket({ client, now, timers = globalThis }, open, requestCountOf) {
  const sockets = createUserSockets(timers);
  /** @type {Followed} */
  const followed = { requested: [], created: new Map() };
  /** @type {Socket | undefined} */
  let socket;
  /** @type {ExchangeError | undefined} why no other job can be created */
  let closed;

  const connect = () => {
    const opened = (socket = open());
    user.requestCount = requestCountOf(undefined);
    sockets.add(opened, {
      onOpen() {
        user.protocol = opened.transport ?? 'websocket';
        user.requestCount = requestCountOf(user.protocol);
        for (const { job } of followed.requested) request(opened, job);
      },
      onEnd(reason) {
        closed = reason;
        failAll(followed, reason);
      },
    });
    opened.onmessage = ({ data }) => take(followed, data, now());
  };

  /** @type {DeliveryUser['follow']} */
  const follow = (job, { signal, onCreated } = {}) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) throw signal.reason;
      if (closed) throw closed;
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      followed.requested.push({ job, sentAtMs: now(), createdAtMs: NaN, onCreated, resolve, reject });
      if (!socket) connect();
      else if (socket.readyState === OPEN) request(socket, job);
    });

  /** @type {DeliveryUser} */
  const user = {
    protocol: undefined,
    requestCount: 0,
    follow,
    async close() {
      closed ??= new ExchangeError('closed', 'The connection was closed.');
      await sockets.close();
      client.close();
    },
  };
  return user;
}

/** @param {Socket} socket @param {Job} job */
function request(socket, { seed, leastMs, mostMs }) {
  socket.send(JSON.stringify({ seed, least: leastMs, most: mostMs }));
}

/** @param {Followed} followed @param {string} text of a message @param {number} atMs */
function take({ requested, created }, text, atMs) {
  // What is not JSON stands for no job.
  const answer = parseJson(text);
  const isDone = answer?.complete === true;
  const following = isDone ? created.get(answer.id) : requested.shift();
  if (!following) return;
  try {
    if (isDone) takeDone(created, following, answer, atMs);
    else takeCreation(created, following, answer, atMs);
  } catch (error) {
    following.reject(error);
  }
}

/** @param {Followed['created']} created @param {Following} following @param {any} answer @param {number} notifiedAtMs */
function takeDone(created, { job, sentAtMs, createdAtMs, resolve }, answer, notifiedAtMs) {
  created.delete(answer.id);
  resolve({ sentAtMs, createdAtMs, notifiedAtMs, ...parseDone(answer, job), pollCount: 0 });
}

/** @param {Followed['created']} created @param {Following} following @param {any} answer @param {number} createdAtMs */
function takeCreation(created, following, answer, createdAtMs) {
  const rejection = parseRejection(answer);
  if (rejection) throw rejection;
  created.set(parseId(answer), following);
  following.createdAtMs = createdAtMs;
  following.onCreated?.(createdAtMs);
}

/** @param {Followed} followed @param {ExchangeError} reason */
function failAll({ requested, created }, reason) {
  for (const { reject } of [...requested.splice(0), ...created.values()]) reject(reason);
  created.clear();
}
