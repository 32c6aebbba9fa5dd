/** The delivery methods over sockets: one for all of a user's jobs, or a WebSocket per job. */
import { abortable, sleep } from '../../base/async.js';
import { parseJson } from '../../base/foreign-text.js';
import { ExchangeError, parseAnswer, parseRejection } from '../exchange-error.js';
import { OPEN, watchSocket } from '../sockets.js';
import { parseDone, parseId, queryOf } from './job.js';

/**
 * @import { Timers } from '../../base/async.js'
 * @import { Socket } from '../sockets.js'
 * @import { FollowOptions, Job, JobClient, Notification, DeliveryOptions, DeliveryUser } from './index.js'
 * @typedef {object} Following from a message to a notification
 * @property {Job} job
 * @property {number} sentAtMs
 * @property {number} createdAtMs
 * @property {FollowOptions['onCreated']} [onCreated]
 * @property {(notification: Notification) => void} resolve
 * @property {(reason: unknown) => void} reject
 * @typedef {object} Followed
 * @property {Following[]} requested not created yet, in the order of their messages; those given up keep their place
 * @property {Map<string, Following>} created by id
 */

/** A server that is gone does not confirm that a socket is closed. */
const CLOSE_LIMIT_MS = 2000;

/**
 * Opens a WebSocket for each job, which creates it; the only message is the notification.
 * @param {DeliveryOptions} options @returns {DeliveryUser}
 */
export function createSocketPerJob({ client, endpoint, library, trialId, now, timers = globalThis }) {
  const sockets = createUserSockets(client, timers);
  const user = {
    protocol: /** @type {string | undefined} */ (undefined),
    requestCount: 0,
    /** @type {DeliveryUser['follow']} */
    follow: (job, { signal, onCreated } = {}) =>
      abortable(signal, (resolve, reject) => {
        const sentAtMs = now();
        let createdAtMs = NaN;
        const socket = client.openSocket(library, `${endpoint}?${queryOf(job, trialId)}`);
        user.requestCount++;
        const onOpen = () => {
          createdAtMs = now();
          user.protocol = 'websocket';
          onCreated?.(createdAtMs);
        };
        sockets.add(socket, { onOpen, onEnd: reject });
        socket.onmessage = ({ data }) => {
          const notifiedAtMs = now();
          try {
            resolve({ sentAtMs, createdAtMs, notifiedAtMs, ...parseDone(parseAnswer(data), job), pollCount: 0 });
          } catch (error) {
            reject(error);
          }
        };
        return () => socket.close();
      }),
    close: sockets.close,
  };
  return user;
}

/**
 * Opens a socket for all jobs, and creates them by messages. The server confirms them in the order of the messages, and
 * notifies of each.
 * @param {DeliveryOptions} options @returns {DeliveryUser}
 */
export function createPush({ client, endpoint, library, protocols, openingRequestCount, trialId, now, ...rest }) {
  const { timers = globalThis } = rest;
  // Libraries do not report the requests of their other transports.
  const requestCountOf = (/** @type {string | undefined} */ protocol) =>
    protocol === 'websocket' ? openingRequestCount : undefined;
  const sockets = createUserSockets(client, timers);
  /** @type {Followed} */
  const followed = { requested: [], created: new Map() };
  /** @type {Socket | undefined} */
  let socket;
  /** @type {ExchangeError | undefined} why no other job can be created */
  let closed;

  const connect = () => {
    const opened = (socket = client.openSocket(library, `${endpoint}?trial=${trialId}`));
    user.requestCount = requestCountOf(protocols.length === 1 ? protocols[0] : undefined);
    sockets.add(opened, {
      onOpen() {
        user.protocol = opened.transport ?? 'websocket';
        user.requestCount = requestCountOf(user.protocol);
        for (const { job } of followed.requested) request(opened, job);
      },
      onEnd(reason) {
        closed = reason;
        for (const { reject } of [...followed.requested.splice(0), ...followed.created.values()]) reject(reason);
        followed.created.clear();
      },
    });
    opened.onmessage = ({ data }) => take(followed, data, now());
  };

  /** @type {DeliveryUser} */
  const user = {
    protocol: undefined,
    requestCount: 0,
    follow: (job, { signal, onCreated } = {}) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) throw signal.reason;
        if (closed) throw closed;
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
        followed.requested.push({ job, sentAtMs: now(), createdAtMs: NaN, onCreated, resolve, reject });
        if (!socket) connect();
        else if (socket.readyState === OPEN) request(socket, job);
      }),
    async close() {
      closed ??= new ExchangeError('closed', 'The connection was closed.');
      await sockets.close();
    },
  };
  return user;
}

/** @param {Socket} socket @param {Job} job */
function request(socket, { seed, minMs, maxMs }) {
  socket.send(JSON.stringify({ seed, min: minMs, max: maxMs }));
}

/** @param {Followed} followed @param {string} text of a message @param {number} atMs */
function take({ requested, created }, text, atMs) {
  // A message that is not JSON is about no job.
  const answer = parseJson(text);
  const isDone = answer?.complete === true;
  const following = isDone ? created.get(answer.id) : requested.shift();
  if (!following) return;
  try {
    if (isDone) {
      created.delete(answer.id);
      const { job, sentAtMs, createdAtMs } = following;
      following.resolve({ sentAtMs, createdAtMs, notifiedAtMs: atMs, ...parseDone(answer, job), pollCount: 0 });
    } else {
      const rejection = parseRejection(answer);
      if (rejection) throw rejection;
      created.set(parseId(answer), following);
      following.createdAtMs = atMs;
      following.onCreated?.(atMs);
    }
  } catch (error) {
    following.reject(error);
  }
}

/**
 * Tracks a user's sockets, so that none is left open after a trial.
 * @param {JobClient} client @param {Timers} timers
 */
function createUserSockets(client, timers) {
  /** @type {Set<Socket>} */
  const sockets = new Set();
  let onEmpty = () => {};

  return {
    /** @param {Socket} socket that begins to connect @param {Parameters<typeof watchSocket>[1]} listeners */
    add(socket, { onOpen, onEnd }) {
      sockets.add(socket);
      watchSocket(socket, {
        onOpen,
        onEnd(reason) {
          sockets.delete(socket);
          if (sockets.size === 0) onEmpty();
          onEnd(reason);
        },
      });
    },
    /** Closes all, and then the client; resolves when they are closed, or after a limit. */
    async close() {
      const allClosed = new AbortController();
      onEmpty = () => allClosed.abort();
      if (sockets.size === 0) onEmpty();
      const wait = sleep(CLOSE_LIMIT_MS, { signal: allClosed.signal, timers });
      for (const socket of [...sockets]) socket.close();
      await wait;
      client.close();
    },
  };
}
