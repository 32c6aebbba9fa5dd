/**
 * One socket for all of a user's jobs: a WebSocket, or a SockJS. A message makes a job; the server says so in the order of
 * the messages, and tells of each when it is done.
 */
import { parseJson } from '../../base/parse-json.js';
import { ExchangeError, parseRejection } from '../exchange-error.js';
import { OPEN, toClosed } from '../echo/socket-transport.js';
import { parseDone } from './job-answer.js';
import { createOpenSockets } from './open-sockets.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { Timers } from '../../base/sleep.js'
 * @import { FollowOptions, Job, JobClient, JobSocket, Told, WayOptions, WayUser } from './index.js'
 */

/**
 * @typedef {object} Following a job, from its message to the word that it is done
 * @property {Job} job
 * @property {number} sentAtMs
 * @property {number} createdAtMs
 * @property {((createdAtMs: number) => void) | undefined} onCreated
 * @property {(told: Told) => void} resolve
 * @property {(reason: unknown) => void} reject
 */

/** @param {WayOptions} options @returns {WayUser} */
export function createPush({ client, run, ...options }) {
  const path = `/ws/jobs?run=${run}`;
  return createSharedSocket({
    ...options,
    client,
    open: () => client.openSocket(path),
    protocolOf: () => 'websocket',
    // Its upgrade.
    requestCountOf: () => 1,
  });
}

/** @param {WayOptions} options @returns {WayUser} */
export function createSockjsPush({ client, run, ...options }) {
  const path = `/jobs?run=${run}`;
  return createSharedSocket({
    ...options,
    client,
    open: () => client.openSockjs(path),
    protocolOf: ({ transport }) => transport,
    // `/info` and the upgrade; how many requests another of its transports makes, or tries, the library does not say.
    requestCountOf: (protocol) => (protocol === 'websocket' ? 2 : undefined),
  });
}

/**
 * @typedef {object} SocketOptions
 * @property {JobClient} client
 * @property {Now} now
 * @property {Timers} [timers]
 * @property {() => JobSocket} open begins to connect
 * @property {(socket: JobSocket) => string | undefined} protocolOf an open socket
 * @property {(protocol: string | undefined) => number | undefined} requestCountOf a socket that was opened
 *
 * @typedef {object} Shared what is known of a user's socket
 * @property {JobSocket} [socket]
 * @property {string} [protocol]
 * @property {ExchangeError} [closed] why no other job can be made
 * @property {Following[]} asked not made yet, in the order of their messages; those given up keep their place
 * @property {Map<string, Following>} made by id
 */

/** @param {SocketOptions} options @returns {WayUser} */
function createSharedSocket({ client, now, timers = globalThis, open, protocolOf, requestCountOf }) {
  const sockets = createOpenSockets(timers);
  /** @type {Shared} */
  const shared = { asked: [], made: new Map() };
  const connect = () => {
    const socket = open();
    shared.socket = socket;
    sockets.add(socket);
    listen(shared, socket, { now, protocolOf, onEnd: () => sockets.delete(socket) });
  };

  return {
    follow: (job, options) => follow(shared, job, { ...options, now, connect }),
    get protocol() {
      return shared.protocol;
    },
    get requestCount() {
      return shared.socket ? requestCountOf(shared.protocol) : 0;
    },
    async close() {
      shared.closed ??= new ExchangeError('closed', 'The connection was closed.');
      await sockets.close();
      client.close();
    },
  };
}

/** @param {Shared} shared @param {Job} job @param {FollowOptions & { now: Now, connect: () => void }} options */
function follow(shared, job, { signal, onCreated, now, connect }) {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) throw signal.reason;
    if (shared.closed) throw shared.closed;
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    shared.asked.push({ job, sentAtMs: now(), createdAtMs: NaN, onCreated, resolve, reject });
    if (!shared.socket) connect();
    else if (shared.socket.readyState === OPEN) ask(shared.socket, job);
  });
}

/** @param {JobSocket} socket @param {Job} job */
function ask(socket, { seed, leastMs, mostMs }) {
  socket.send(JSON.stringify({ seed, least: leastMs, most: mostMs }));
}

/**
 * @param {Shared} shared
 * @param {JobSocket} socket
 * @param {Pick<SocketOptions, 'now' | 'protocolOf'> & { onEnd: () => void }} options
 */
function listen(shared, socket, { now, protocolOf, onEnd }) {
  const end = (/** @type {ExchangeError} */ reason) => {
    onEnd();
    failAll(shared, reason);
  };
  socket.onopen = () => {
    shared.protocol = protocolOf(socket);
    for (const { job } of shared.asked) ask(socket, job);
  };
  socket.onmessage = ({ data }) => {
    const atMs = now();
    // What is not JSON stands for no job.
    const answer = parseJson(data);
    if (answer?.complete === true) takeDone(shared, answer, atMs);
    else takeCreation(shared, answer, atMs);
  };
  socket.onclose = (event) => end(toClosed(event));
  // Where its policy forbids the address, Chromium tells of an error and of no close.
  socket.onerror = () => {
    if (shared.protocol === undefined) end(new ExchangeError('closed', 'The connection could not be opened.'));
  };
}

/** @param {Shared} shared @param {any} answer @param {number} toldAtMs */
function takeDone({ made }, answer, toldAtMs) {
  const following = made.get(answer.id);
  if (!following) return;
  made.delete(answer.id);
  const { job, sentAtMs, createdAtMs, resolve, reject } = following;
  try {
    resolve({ sentAtMs, createdAtMs, toldAtMs, ...parseDone(answer, job), pollCount: 0 });
  } catch (error) {
    reject(error);
  }
}

/** @param {Shared} shared @param {any} answer @param {number} atMs */
function takeCreation({ asked, made }, answer, atMs) {
  const following = asked.shift();
  if (!following) return;
  const rejection = parseRejection(answer);
  if (rejection || typeof answer?.id !== 'string') {
    following.reject(rejection ?? new ExchangeError('mismatch', 'Expected the id of a job, got none.'));
    return;
  }
  following.createdAtMs = atMs;
  made.set(answer.id, following);
  following.onCreated?.(atMs);
}

/** @param {Shared} shared @param {ExchangeError} reason */
function failAll(shared, reason) {
  shared.closed = reason;
  for (const { reject } of [...shared.asked.splice(0), ...shared.made.values()]) reject(reason);
  shared.made.clear();
}
