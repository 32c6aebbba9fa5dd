/** The delivery methods over sockets: one for all of a user's jobs, or a WebSocket per job. */
import { abortable, sleep } from '../../base/async.js';
import { parseJson } from '../../base/foreign-text.js';
import { ExchangeError, parseAnswer, parseRejection } from '../exchange-error.js';
import { createChannel } from '../channel/channel.js';
import { kinds } from '../channel/index.js';
import { messageOf, parseDone, parseId, queryOf } from './job.js';

/**
 * @import { Timers } from '../../base/async.js'
 * @import { Channel, Hooks } from '../channel/channel.js'
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
export function createSocketPerJob({ client, endpoint, kind, trialId, now, timers = globalThis }) {
  const channels = createUserChannels(client, kind, timers);
  const user = {
    protocol: /** @type {string | undefined} */ (undefined),
    requestCount: 0,
    /** @type {DeliveryUser['follow']} */
    follow: (job, { signal, onCreated } = {}) =>
      abortable(signal, (resolve, reject) => {
        const sentAtMs = now();
        let createdAtMs = NaN;
        const channel = channels.open(`${endpoint}?${queryOf(job, trialId)}`, {
          open() {
            createdAtMs = now();
            user.protocol = channel.protocol;
            onCreated?.(createdAtMs);
          },
          message(text) {
            const notifiedAtMs = now();
            try {
              resolve({ sentAtMs, createdAtMs, notifiedAtMs, ...parseDone(parseAnswer(text), job), pollCount: 0 });
            } catch (error) {
              reject(error);
            }
          },
          end: reject,
        });
        user.requestCount++;
        return channel.end;
      }),
    close: channels.close,
  };
  return user;
}

/**
 * Opens a socket for all jobs, and creates them by messages. The server confirms them in the order of the messages, and
 * notifies of each.
 * @param {DeliveryOptions} options @returns {DeliveryUser}
 */
export function createPush({ client, endpoint, kind, protocols, trialId, now, ...rest }) {
  const { timers = globalThis, openingRequestCount, isUpgraded } = rest;
  // Libraries do not report the requests of their other transports.
  const requestCountOf = (/** @type {string | undefined} */ protocol) =>
    protocol === 'websocket' && !isUpgraded ? openingRequestCount : undefined;
  const channels = createUserChannels(client, kind, timers);
  /** @type {Followed} */
  const followed = { requested: [], created: new Map() };
  /** @type {Channel | undefined} */
  let channel;
  /** @type {ExchangeError | undefined} why no other job can be created */
  let closed;

  const connect = () => {
    user.requestCount = requestCountOf(protocols.length === 1 ? protocols[0] : undefined);
    const opened = (channel = channels.open(`${endpoint}?trial=${trialId}`, {
      open() {
        user.protocol = opened.protocol;
        user.requestCount = requestCountOf(user.protocol);
        for (const { job } of followed.requested) request(opened, job);
      },
      message: (text) => take(followed, text, now()),
      end(reason) {
        closed = reason;
        for (const { reject } of [...followed.requested.splice(0), ...followed.created.values()]) reject(reason);
        followed.created.clear();
      },
    }));
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
        if (!channel) connect();
        else if (channel.isOpen) request(channel, job);
      }),
    async close() {
      closed ??= new ExchangeError('closed', 'The connection was closed.');
      await channels.close();
    },
  };
  return user;
}

/** @param {Channel} channel open @param {Job} job */
function request(channel, job) {
  channel.send(messageOf(job));
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
 * Tracks a user's channels, so that none is left open after a trial.
 * @param {JobClient} client @param {string} kind @param {Timers} timers
 */
function createUserChannels(client, kind, timers) {
  /** @type {Set<Channel>} */
  const channels = new Set();
  let onEmpty = () => {};

  return {
    /** Begins to connect. @param {string} path @param {Hooks & { end: (reason: ExchangeError) => void }} hooks */
    open(path, hooks) {
      const channel = createChannel(client.openSocket(kind, path), kinds[kind]);
      channels.add(channel);
      channel.on({
        ...hooks,
        end(reason) {
          channels.delete(channel);
          if (channels.size === 0) onEmpty();
          hooks.end(reason);
        },
      });
      return channel;
    },
    /** Ends all, and then the client; resolves when they have ended, or after a limit. */
    async close() {
      const allEnded = new AbortController();
      onEmpty = () => allEnded.abort();
      if (channels.size === 0) onEmpty();
      const wait = sleep(CLOSE_LIMIT_MS, { signal: allEnded.signal, timers });
      for (const channel of [...channels]) channel.end();
      await wait;
      client.close();
    },
  };
}
