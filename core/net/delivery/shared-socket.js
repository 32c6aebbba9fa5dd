/**
 * One socket for all of a user's jobs: a WebSocket, or a SockJS. A message makes a job; the server says so in the order of
 * the messages, and tells of each when it is done.
 */
import { parseJson } from '../../base/parse-json.js';
import { ExchangeError, parseRejection } from '../exchange-error.js';
import { OPEN } from '../sockets.js';
import { parseDone, parseId } from './job-answer.js';
import { createUserSockets } from './user-sockets.js';

/**
 * @import { Socket } from '../sockets.js'
 * @import { Job, Told, WayOptions, WayUser } from './index.js'
 */

/**
 * @typedef {object} Following a job, from its message to the word that it is done
 * @property {Job} job
 * @property {number} sentAtMs
 * @property {number} createdAtMs
 * @property {((createdAtMs: number) => void) | undefined} onCreated
 * @property {(told: Told) => void} resolve
 * @property {(reason: unknown) => void} reject
 *
 * @typedef {object} Followed
 * @property {Following[]} asked not made yet, in the order of their messages; those given up keep their place
 * @property {Map<string, Following>} made by id
 */

/** @param {WayOptions} options @returns {WayUser} */
export function createPush(options) {
  // Its upgrade.
  return createSharedSocket(
    options,
    () => options.client.openSocket(`/ws/jobs?run=${options.run}`),
    () => 1,
  );
}

/** @param {WayOptions} options @returns {WayUser} */
export function createSockjsPush(options) {
  // `/info` and the upgrade; how many requests another of its transports makes, or tries, the library does not say.
  const requestCountOf = (/** @type {string | undefined} */ protocol) => (protocol === 'websocket' ? 2 : undefined);
  return createSharedSocket(options, () => options.client.openSockjs(`/jobs?run=${options.run}`), requestCountOf);
}

/**
 * @param {WayOptions} options
 * @param {() => Socket} open begins to connect
 * @param {(protocol: string | undefined) => number | undefined} requestCountOf a socket that was opened
 * @returns {WayUser}
 */
function createSharedSocket({ client, now, timers = globalThis }, open, requestCountOf) {
  const sockets = createUserSockets(timers);
  /** @type {Followed} */
  const followed = { asked: [], made: new Map() };
  /** @type {Socket | undefined} */
  let socket;
  /** @type {ExchangeError | undefined} why no other job can be made */
  let closed;

  const connect = () => {
    const opened = (socket = open());
    user.requestCount = requestCountOf(undefined);
    sockets.add(opened, {
      onOpen() {
        user.protocol = opened.transport ?? 'websocket';
        user.requestCount = requestCountOf(user.protocol);
        for (const { job } of followed.asked) ask(opened, job);
      },
      onEnd(reason) {
        closed = reason;
        failAll(followed, reason);
      },
    });
    opened.onmessage = ({ data }) => take(followed, data, now());
  };

  /** @type {WayUser['follow']} */
  const follow = (job, { signal, onCreated } = {}) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) throw signal.reason;
      if (closed) throw closed;
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      followed.asked.push({ job, sentAtMs: now(), createdAtMs: NaN, onCreated, resolve, reject });
      if (!socket) connect();
      else if (socket.readyState === OPEN) ask(socket, job);
    });

  /** @type {WayUser} */
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
function ask(socket, { seed, leastMs, mostMs }) {
  socket.send(JSON.stringify({ seed, least: leastMs, most: mostMs }));
}

/** @param {Followed} followed @param {string} text of a message @param {number} atMs */
function take({ asked, made }, text, atMs) {
  // What is not JSON stands for no job.
  const answer = parseJson(text);
  const isDone = answer?.complete === true;
  const following = isDone ? made.get(answer.id) : asked.shift();
  if (!following) return;
  try {
    if (isDone) takeDone(made, following, answer, atMs);
    else takeCreation(made, following, answer, atMs);
  } catch (error) {
    following.reject(error);
  }
}

/** @param {Followed['made']} made @param {Following} following @param {any} answer @param {number} toldAtMs */
function takeDone(made, { job, sentAtMs, createdAtMs, resolve }, answer, toldAtMs) {
  made.delete(answer.id);
  resolve({ sentAtMs, createdAtMs, toldAtMs, ...parseDone(answer, job), pollCount: 0 });
}

/** @param {Followed['made']} made @param {Following} following @param {any} answer @param {number} createdAtMs */
function takeCreation(made, following, answer, createdAtMs) {
  const rejection = parseRejection(answer);
  if (rejection) throw rejection;
  made.set(parseId(answer), following);
  following.createdAtMs = createdAtMs;
  following.onCreated?.(createdAtMs);
}

/** @param {Followed} followed @param {ExchangeError} reason */
function failAll({ asked, made }, reason) {
  for (const { reject } of [...asked.splice(0), ...made.values()]) reject(reason);
  made.clear();
}
