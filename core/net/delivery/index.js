/** The delivery methods, by which a client finds out that a job is done: each one's client half, given the platform's means. */
import { over, withEachKind } from '../channel/index.js';
import { namesOf } from '../rows.js';
import { createLongPoll, createPoll, createSse } from './requests.js';
import { createPush, createSocketPerJob } from './sockets.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { Timers } from '../../base/async.js'
 * @import { Socket } from '../channel/channel.js'
 * @typedef {{ seed: number, minMs: number, maxMs: number, newsBytes?: number }} Job what it is made of; its duration follows (see
 *   job.js); `newsBytes`: the size of the piece of news that it is done; absent: as small as can be
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
 * @typedef {object} JobClient one user's means, given by the platform; paths begin with '/'; sockets begin to connect
 * @property {(method: string, path: string, options: { signal?: AbortSignal }) => Promise<JobAnswer>} request rejects with an
 *   ExchangeError where no answer came, and at once with an aborted signal's reason; when it has ended it listens to the
 *   signal no more, as one signal lasts for all polls of a job
 * @property {(kind: string, path: string) => Socket} openSocket `kind`: as core/net/channel/index.js names it
 * @property {() => string | undefined} protocol of its HTTP requests: 'http/1.1', 'h2'
 * @property {() => void} close
 * @typedef {{ client: JobClient, trialId: string, now: Now, intervalMs?: number, timers?: Timers }} UserOptions `trialId`: to
 *   which the server records its traffic, 12 characters of [A-Za-z0-9_-]; `intervalMs` of polling
 * @typedef {UserOptions & Omit<DeliveryRow, 'client'>} DeliveryOptions what its row says
 * @typedef {object} DeliveryRow
 * @property {string} name in links, documents and style sheets, where `--delivery-NAME` is its colour
 * @property {string} label for people
 * @property {string} transport that carries it, by its name in core/net/echo/index.js
 * @property {string} endpoint the path on the server that it connects to
 * @property {string} kind of connection, as the rows of core/net/echo/index.js have it, and with it:
 * @property {string} [sessionPath]
 * @property {readonly string[]} protocols
 * @property {boolean} [hasInterval] does the client ask again after an interval, which the plan sets?
 * @property {string} [client] the name of its client, where it is not its own
 * @property {number} [openingCount] the requests, upgrades and frames by which its connection is opened; absent where it has
 *   none that lasts
 * @property {number} [heartbeatCount] the frames of one heartbeat, the client's answer included
 * @property {number} [openingRequestCount] the requests and upgrades among them
 * @property {boolean} [isUpgraded] does it begin by long polls, of which its upgrade may spare one? Its library does not say
 * @property {'user' | 'job'} [socketPer] what has a socket of its own; absent where a user sends requests
 * @property {boolean} [isSubject] is it compared with all others? The first such that was measured is
 * @property {boolean} [isDefault] has a run it, if nothing else is chosen?
 */

/**
 * The clients, which are not in the rows, as in core/net/echo/index.js.
 * @type {Record<string, (options: DeliveryOptions) => DeliveryUser>}
 */
const CLIENTS = {
  poll: createPoll,
  'long-poll': createLongPoll,
  sse: createSse,
  'socket-per-job': createSocketPerJob,
  push: createPush,
};

const BY_REQUESTS = { ...over('http', 'jobs'), transport: 'fetch' };
const BY_WEBSOCKET = { ...over('websocket', 'jobs'), transport: 'ws' };

/** The delivery methods, in the order of tables and plans. */
export const deliveries = withEachKind(
  'jobs',
  /** @type {DeliveryRow[]} */ ([
    { ...BY_REQUESTS, name: 'poll', label: 'Polling', hasInterval: true, isDefault: true },
    { ...BY_REQUESTS, name: 'long-poll', label: 'Long polling' },
    {
      ...over('event-stream', 'jobs'),
      name: 'sse',
      label: 'EventSource',
      transport: 'sse',
      // The request, and a comment.
      openingCount: 2,
      openingRequestCount: 1,
      // A comment.
      heartbeatCount: 1,
    },
    {
      ...BY_WEBSOCKET,
      name: 'socket-per-job',
      label: 'A WebSocket per job',
      endpoint: '/ws/job',
      socketPer: 'job',
    },
    {
      ...BY_WEBSOCKET,
      name: 'push',
      label: 'One WebSocket per user',
      openingCount: 1,
      openingRequestCount: 1,
      // The server's ping, and the browser's pong.
      heartbeatCount: 2,
      socketPer: 'user',
      isSubject: true,
      isDefault: true,
    },
    {
      ...over('sockjs', 'jobs'),
      name: 'sockjs',
      label: 'One SockJS connection per user',
      client: 'push',
      transport: 'sockjs',
      // `/info`, the upgrade, and SockJS's opening frame.
      openingCount: 3,
      openingRequestCount: 2,
      // The server's ping, and the browser's pong.
      heartbeatCount: 2,
      socketPer: 'user',
      isSubject: true,
      isDefault: true,
    },
    {
      ...over('socketio', 'jobs'),
      name: 'socketio',
      label: 'One Socket.IO connection per user',
      client: 'push',
      transport: 'socketio',
      // Long polling comes first: the handshake, the connection to the namespace, and two polls. Then the upgrade, and three
      // frames that test it and end the polling.
      openingCount: 8,
      openingRequestCount: 5,
      isUpgraded: true,
      // The server's ping, and its client's pong.
      heartbeatCount: 2,
      socketPer: 'user',
      isSubject: true,
    },
  ]),
  /** @returns {DeliveryRow} */
  (row) => ({
    ...row,
    label: `One ${row.label} connection per user`,
    client: 'push',
    transport: row.name,
    socketPer: 'user',
  }),
);

/** The time between two heartbeats of an open connection. */
export const HEARTBEAT_MS = 25_000;

/**
 * The delivery method by one lasting connection per user that a transport carries; the first one, if it carries none.
 * @param {string} transport
 */
export function pushOver(transport) {
  const pushes = Object.values(deliveries).filter(({ socketPer }) => socketPer === 'user');
  return pushes.find((row) => row.transport === transport) ?? pushes[0];
}

/** What is compared with the other delivery methods: the first of these that was measured. */
export const DELIVERY_SUBJECTS = namesOf(deliveries, ({ isSubject }) => isSubject);

/** @param {string} name of a row @param {UserOptions} options @returns {DeliveryUser} */
export function createDeliveryUser(name, options) {
  const row = deliveries[name];
  return CLIENTS[row.client ?? name]({ ...row, ...options });
}
