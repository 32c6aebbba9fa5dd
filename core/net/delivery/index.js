/** The delivery methods, by which a client finds out that a job is done: each one's client half, given the platform's means. */
import { createLongPoll, createPoll, createSse } from './requests.js';
import { createPush, createSocketPerJob, createSockjsPush } from './sockets.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { Timers } from '../../base/async.js'
 * @import { Socket } from '../sockets.js'
 * @typedef {{ seed: number, leastMs: number, mostMs: number }} Job what it is made of; its duration follows (see
 *   job.js)
 * @typedef {object} Notification clock readings by the user's `now`
 * @property {number} sentAtMs when the request for the job was sent
 * @property {number} createdAtMs when the answer came that it was created
 * @property {number} notifiedAtMs when the notification came that it is done
 * @property {number} durationMs by the server; it is the one that was drawn
 * @property {number} createTime when the job was made, by the server's clock: ms since 1970
 * @property {number} pollCount how often it was polled; 0 where the server sent the notification by itself
 * @typedef {object} FollowOptions
 * @property {AbortSignal} [signal] gives this job up, with an ExchangeError as its reason
 * @property {(createdAtMs: number) => void} [onCreated]
 * @typedef {object} DeliveryUser one user's side of one trial, with connections of its own
 * @property {(job: Job, options?: FollowOptions) => Promise<Notification>} follow creates a job, and waits for its
 *   notification; rejects with an ExchangeError, or with the signal's reason
 * @property {string | undefined} protocol what was negotiated: 'http/1.1', 'h2', 'websocket', ...; absent where it is
 *   not known (yet)
 * @property {number | undefined} requestCount HTTP requests and upgrades that it made so far; absent where a library
 *   made them, and does not say how many
 * @property {() => Promise<void>} close resolves when its connections are closed, or after a limit
 * @typedef {{ status: number, answer: any }} JobAnswer what came, whatever its status; `answer` absent where it is not
 *   JSON
 * @typedef {object} EventStream a stream of server-sent events, which is never opened again by itself
 * @property {((text: string) => void) | null} onmessage
 * @property {((reason: string) => void) | null} onclose not after `close()`; the server's end of the stream, too
 * @property {() => void} close
 * @typedef {Socket} JobSocket a WebSocket, or a SockJS
 * @typedef {object} JobClient one user's means, given by the platform; paths begin with '/'
 * @property {(method: string, path: string, options: { signal?: AbortSignal }) => Promise<JobAnswer>} request rejects
 *   with an ExchangeError where no answer came, and with the signal's reason, at once, where that is aborted; when it
 *   has ended it listens to the signal no more, as one signal lasts for all polls of a job
 * @property {(path: string) => EventStream} openEvents
 * @property {(path: string) => JobSocket} openSocket a WebSocket that begins to connect
 * @property {(path: string) => JobSocket} openSockjs
 * @property {() => string | undefined} protocol of its HTTP requests: 'http/1.1', 'h2'
 * @property {() => void} close
 * @typedef {object} DeliveryOptions
 * @property {JobClient} client
 * @property {string} trialId to which the server records its traffic: 12 characters of [A-Za-z0-9_-]
 * @property {Now} now
 * @property {number} [intervalMs] of polling
 * @property {Timers} [timers]
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
