/** The methods by which a client follows a feed: a row each, and what follows it, given the platform's means. */
import { parseJson } from '../../base/foreign-text.js';
import { createId } from '../../base/random.js';
import { createChannel } from '../channel/channel.js';
import { kinds, over, withEachKind } from '../channel/index.js';
import { failureOf } from '../http.js';
import { namesOf } from '../rows.js';
import { followPoll } from './follow-poll.js';
import { followSocket } from './follow-socket.js';
import { followSocketio } from './follow-socketio.js';

/**
 * @import { Timers } from '../../base/async.js'
 * @import { JobClient } from '../delivery/index.js'
 * @import { Channel } from '../channel/channel.js'
 * @import { Io } from '../channel/socketio.js'
 *
 * @typedef {object} Followed gets what happens
 * @property {(protocol?: string) => void} onOpen each time that the connection is open; `protocol`: absent if it is not known
 * @property {(protocol: string) => void} onUpgrade messages go over another protocol from now on
 * @property {(text: string) => number} onMessage returns the number in it
 * @property {(n: number) => void} onNumber of a message
 * @property {(reason: string) => void} onLost the client noticed that the connection is gone, or a request without an answer
 * @property {() => void} onHidden a request was cut off and came again, unknown to the client
 *
 * @typedef {{ open: (query: string) => Channel, hasPings?: boolean, replays?: boolean, timers?: Timers,
 *   random?: () => number }} SocketOptions
 *   `query`: more of it, such as '&since=7'
 * @typedef {{ ask: (since: number, signal: AbortSignal) => Promise<readonly number[]>, intervalMs: number, timeoutMs: number,
 *   timers?: Timers }} PollOptions `ask` rejects with the signal's reason, or with an ExchangeError
 *
 * @typedef {JobClient & { baseUrl: string, io?: Io, followEvents: (path: string, followed: Followed) => () => void }} FeedClient the
 *   platform's means; `io`: absent if no method needs it; `followEvents` connects again by itself, and returns what ends it
 * @typedef {{ client: FeedClient, id: string, intervalMs: number, timeoutMs: number, timers?: Timers, random?: () => number
 *   }} FollowOptions
 *
 * @typedef {object} FeedRow
 * @property {string} name in links, documents and style sheets, where `--feed-NAME` is its colour
 * @property {string} label for people
 * @property {string} transport that carries it, by its name in core/net/echo/index.js
 * @property {string} endpoint the path on the server that it connects to
 * @property {string} kind of connection, as the rows of core/net/echo/index.js have it, and with it:
 * @property {string} [sessionPath]
 * @property {'poll' | 'events' | 'socket' | 'socketio'} client
 * @property {boolean} [hasPings] does it look by itself whether the connection still carries anything?
 * @property {boolean} [replays] does it ask for the messages that it missed?
 * @property {number} [timerMs] its longest timer, which a cut may come at any time of; absent if it has none but the plan's
 * @property {boolean} [isDefault] has a run it, if nothing else is chosen?
 */

const WS = { ...over('websocket', 'feed'), transport: 'ws', client: 'socket' };
const SOCKJS = { ...over('sockjs', 'feed'), transport: 'sockjs', client: 'socket' };
const SOCKETIO = /** @type {const} */ ({ ...over('socketio', 'feed'), transport: 'socketio', client: 'socketio' });
/** From a ping to the next, where the answer comes at once. */
const PINGS = { hasPings: true, timerMs: 5000 };

/** The methods, in the order of tables and plans. */
export const feedMethods = withEachKind(
  'feed',
  /** @type {FeedRow[]} */ ([
    {
      ...over('http', 'feed'),
      name: 'poll',
      label: 'Polling',
      transport: 'fetch',
      client: 'poll',
      replays: true,
      isDefault: true,
    },
    { ...WS, name: 'ws', label: 'WebSocket', isDefault: true },
    { ...WS, ...PINGS, name: 'ws-ping', label: 'WebSocket with ping', isDefault: true },
    { ...WS, ...PINGS, name: 'ws-replay', label: 'WebSocket with ping and replay', replays: true, isDefault: true },
    { ...SOCKJS, name: 'sockjs', label: 'SockJS', isDefault: true },
    { ...SOCKJS, ...PINGS, name: 'sockjs-ping', label: 'SockJS with ping', isDefault: true },
    {
      ...SOCKJS,
      ...PINGS,
      name: 'sockjs-replay',
      label: 'SockJS with ping and replay',
      replays: true,
      isDefault: true,
    },
    { ...SOCKETIO, name: 'socketio', label: 'Socket.IO' },
    {
      ...SOCKETIO,
      name: 'socketio-recovery',
      label: 'Socket.IO with recovery',
      endpoint: '/socket.io/recoverable-feeds',
    },
    {
      ...over('event-stream', 'feed'),
      name: 'events',
      label: 'EventSource',
      transport: 'sse',
      client: 'events',
      replays: true,
      isDefault: true,
    },
  ]),
  /** @returns {FeedRow} */
  (row) => ({ ...row, transport: row.name, client: 'socket' }),
);

/** Their labels, in that order. @type {Readonly<Record<string, string>>} */
export const FEED_LABELS = Object.freeze(
  Object.fromEntries(Object.values(feedMethods).map(({ name, label }) => [name, label])),
);

export const DEFAULT_FEED_METHODS = namesOf(feedMethods, ({ isDefault }) => isDefault);

/** @type {Record<FeedRow['client'], (row: FeedRow, options: FollowOptions, followed: Followed) => () => void>} */
const CLIENTS = {
  poll: ({ endpoint }, { client, id, ...options }, followed) =>
    followPoll({ ...options, ask: createAsk(client, `${endpoint}/${id}`, followed) }, followed),
  events: ({ endpoint }, { client, id }, followed) => client.followEvents(`${endpoint}/${id}/events`, followed),
  socket: ({ endpoint, kind, hasPings, replays }, { client, id, timers, random }, followed) => {
    const open = (/** @type {string} */ query) =>
      createChannel(client.openSocket(kind, `${endpoint}?feed=${id}${query}`), kinds[kind]);
    return followSocket({ open, hasPings, replays, timers, random }, followed);
  },
  socketio: ({ endpoint }, { client, id }, followed) =>
    followSocketio({ io: /** @type {Io} */ (client.io), url: `${client.baseUrl}${endpoint}?feed=${id}` }, followed),
};

/**
 * Begins to follow a feed.
 * @param {string} name of a row @param {FollowOptions} options @param {Followed} followed gets what happens
 * @returns {() => void} ends it
 */
export function followFeed(name, options, followed) {
  const row = feedMethods[name];
  return CLIENTS[row.client](row, options, followed);
}

/** @param {string} text of a message @returns {number} NaN if it has none */
export const numberIn = (text) => Number(parseJson(text)?.n ?? NaN);

/**
 * @param {FeedClient} client @param {string} path of the feed @param {Followed} followed @returns {PollOptions['ask']}
 */
function createAsk(client, path, followed) {
  /** When the last request was answered, ms since the start of the feed. @type {number | undefined} */
  let lastMs;
  let hasFailed = false;
  return async (since, signal) => {
    const known = `${lastMs === undefined ? '' : `&last=${lastMs}`}${hasFailed ? '&failed=1' : ''}`;
    try {
      const url = `${path}?since=${since}&poll=${createId(16)}${known}`;
      const { status, answer } = await client.request('GET', url, { signal });
      if (status >= 400 || answer === undefined) throw failureOf(status, answer);
      if (lastMs === undefined) followed.onOpen(client.protocol());
      if (answer.wasCut) followed.onHidden();
      lastMs = answer.sinceStartMs;
      hasFailed = false;
      return answer.messages;
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  };
}
