/**
 * One socket for all of a user's jobs: a WebSocket, or a SockJS. A message makes a job; the server says so in the order of
 * the messages, and tells of each when it is done.
 */
import { ExchangeError, parseRejection } from '../exchange-error.js';
import { OPEN, toClosed } from '../echo/socket-transport.js';
import { parseDone } from './job-answer.js';
import { createOpenSockets } from './open-sockets.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { Job, JobClient, JobSocket, Timers, Told, WayOptions, WayUser } from './index.js'
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

/**
 * @param {WayOptions} options
 * @returns {WayUser}
 */
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

/**
 * @param {WayOptions} options
 * @returns {WayUser}
 */
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
 * @param {object} options
 * @param {JobClient} options.client
 * @param {Now} options.now
 * @param {Timers} [options.timers]
 * @param {() => JobSocket} options.open begins to connect
 * @param {(socket: JobSocket) => string | undefined} options.protocolOf an open socket
 * @param {(protocol: string | undefined) => number | undefined} options.requestCountOf a socket that was opened
 * @returns {WayUser}
 */
function createSharedSocket({ client, now, timers = globalThis, open, protocolOf, requestCountOf }) {
  const sockets = createOpenSockets(timers);
  /** @type {JobSocket | undefined} */
  let socket;
  /** @type {string | undefined} */
  let protocol;
  /** @type {ExchangeError | undefined} why no other job can be made */
  let closed;
  /** @type {Following[]} not made yet, in the order of their messages; those given up keep their place */
  const asked = [];
  /** @type {Map<string, Following>} by id */
  const made = new Map();

  /** @param {Following} following */
  const send = ({ job: { seed, leastMs, mostMs } }) =>
    socket?.send(JSON.stringify({ seed, least: leastMs, most: mostMs }));

  /** @param {any} answer @param {number} atMs */
  const take = (answer, atMs) => {
    if (answer?.complete !== true) {
      takeCreation(answer, atMs);
      return;
    }
    const following = made.get(answer.id);
    if (!following) return;
    made.delete(answer.id);
    const { job, sentAtMs, createdAtMs, resolve, reject } = following;
    try {
      resolve({ sentAtMs, createdAtMs, toldAtMs: atMs, ...parseDone(answer, job), pollCount: 0 });
    } catch (error) {
      reject(error);
    }
  };

  /** @param {any} answer @param {number} atMs */
  const takeCreation = (answer, atMs) => {
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
  };

  /** @param {ExchangeError} reason */
  const failAll = (reason) => {
    closed = reason;
    if (socket) sockets.delete(socket);
    for (const { reject } of [...asked.splice(0), ...made.values()]) reject(reason);
    made.clear();
  };

  const connect = () => {
    const opening = open();
    socket = opening;
    sockets.add(opening);
    opening.onopen = () => {
      protocol = protocolOf(opening);
      asked.forEach(send);
    };
    opening.onmessage = ({ data }) => {
      const atMs = now();
      take(parse(data), atMs);
    };
    opening.onclose = (event) => failAll(toClosed(event));
    // Where its policy forbids the address, Chromium tells of an error and of no close.
    opening.onerror = () => {
      if (protocol === undefined) failAll(new ExchangeError('closed', 'The connection could not be opened.'));
    };
  };

  return {
    follow: (job, { signal, onCreated } = {}) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) throw signal.reason;
        if (closed) throw closed;
        /** @type {Following} */
        const following = { job, sentAtMs: now(), createdAtMs: NaN, onCreated, resolve, reject };
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
        asked.push(following);
        if (!socket) connect();
        else if (socket.readyState === OPEN) send(following);
      }),
    get protocol() {
      return protocol;
    },
    get requestCount() {
      return socket ? requestCountOf(protocol) : 0;
    },
    async close() {
      closed ??= new ExchangeError('closed', 'The connection was closed.');
      await sockets.close();
      client.close();
    },
  };
}

/**
 * @param {string} text
 * @returns {any} absent where it is not JSON: then it stands for no job
 */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
