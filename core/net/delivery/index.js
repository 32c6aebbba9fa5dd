/** The delivery methods, by which a client finds out that a job is done: each one's client half, given the platform's means. */
import { createLongPoll, createPoll, createSse } from './requests.js';
import { createPush, createSocketPerJob, createSockjsPush } from './sockets.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { Timers } from '../../base/async.js'
 * @import { Socket } from '../sockets.js'
 * @typedef {{ seed: number, leastMs: number, mostMs: number }} Job what it is made of; its duration follows (see job.js)
 * @typedef {{ sentAtMs: number, createdAtMs: number, notifiedAtMs: number, durationMs: number, createTime: number, pollCount:
 *   number }} Notification readings of the user's `now`: the request sent, the answer that the job was created, the
 *   notification; by the server its duration, and when it was created (ms since 1970); `pollCount`: 0 where the server notified
 * @typedef {{ signal?: AbortSignal, onCreated?: (createdAtMs: number) => void }} FollowOptions `signal` gives this job up, with
 *   an ExchangeError as its reason
 * @typedef {object} DeliveryUser one user's side of one trial, with connections of its own
 * @property {(job: Job, options?: FollowOptions) => Promise<Notification>} follow creates a job, and waits for its notification;
 *   rejects with an ExchangeError, or with the signal's reason
 * @property {string | undefined} protocol what was negotiated, like 'h2'; absent where it is not known (yet)
 * @property {number | undefined} requestCount HTTP requests and upgrades so far; absent where a library does not say
 * @property {() => Promise<void>} close resolves when its connections are closed, or after a limit
 * @typedef {{ status: number, answer: any }} JobAnswer what came, whatever its status; `answer` absent where it is not JSON
 * @typedef {{ onmessage: ((text: string) => void) | null, onclose: ((reason: string) => void) | null, close: () => void
 *   }} EventStream server-sent events, never opened again by itself; `onclose`: by the server's end, too, not after `close()`
 * @typedef {object} JobClient one user's means, given by the platform; paths begin with '/'; sockets begin to connect
 * @property {(method: string, path: string, options: { signal?: AbortSignal }) => Promise<JobAnswer>} request rejects with an
 *   ExchangeError where no answer came, and at once with an aborted signal's reason; when it has ended it listens to the
 *   signal no more, as one signal lasts for all polls of a job
 * @property {(path: string) => EventStream} openEvents
 * @property {(path: string) => Socket} openSocket
 * @property {(path: string) => Socket} openSockjs
 * @property {() => string | undefined} protocol of its HTTP requests: 'http/1.1', 'h2'
 * @property {() => void} close
 * @typedef {{ client: JobClient, trialId: string, now: Now, intervalMs?: number, timers?: Timers }} DeliveryOptions `trialId`: to
 *   which the server records its traffic, 12 characters of [A-Za-z0-9_-]; `intervalMs` of polling
 */

/** @type {Readonly<Record<string, { create: (options: DeliveryOptions) => DeliveryUser }>>} */
export const deliveries = Object.freeze({
  poll: { create: createPoll },
  'long-poll': { create: createLongPoll },
  sse: { create: createSse },
  'socket-per-job': { create: createSocketPerJob },
  push: { create: createPush },
  sockjs: { create: createSockjsPush },
});
