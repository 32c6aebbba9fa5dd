/**
 * Feeds over sockets: a WebSocket at `/ws/feed`, SockJS at `/feeds`, Socket.IO at `/socket.io/feeds`. The query of their URLs
 * names the feed. A client may send `ping`, and gets `pong`, to find out whether the connection still carries anything.
 */
import { formatError, queryOf, RefusalError } from '../http/exchange.js';
import { FAULT } from '../sockets/frames.js';
import { jobLimits } from '../sockets/limits.js';
import { GOING_AWAY } from '../workers.js';
import { PING, PONG } from '../../core/net/feed/feed.js';
import { parseSubscription } from './feed-options.js';
import { createSilences, createWaits, stallable } from './feed-silences.js';
import { subscribe } from './feed-subscriber.js';
import { createSocketio } from './socketio.js';
import { createSockjs } from './sockjs.js';
import { createSocketEndpoint, holdOpen } from './web-sockets.js';

/**
 * @import { IncomingMessage as Request } from 'node:http'
 * @import { Socket } from 'node:net'
 * @import { Endpoint } from '../http/gate.js'
 * @import { EndpointsBelow } from './index.js'
 * @import { Silences } from './feed-silences.js'
 * @import { Subscription } from './feed-options.js'
 * @import { EndpointParts } from '../parts.js'
 * @typedef {{ url?: string, say(text: string): void, close(code: number, reason: string): void, goAway(): void, readonly socket?:
 *   Socket }} Speaker `socket`: beneath; absent while messages go over several requests
 * @typedef {{ onMessage(message: unknown): void, onEnd(): void }} Conversation
 */

const QUERY = 'feed=:feed';
const SESSIONS = /** @type {const} */ ('feeds');
/** RFC 6455, section 7.4.1. */
const NORMAL = { code: 1000, reason: 'The feed has ended' };

/** @param {EndpointParts} parts @returns the endpoints of each library */
export function createFeedSockets(parts) {
  const { feeds } = parts;
  const silences = createSilences(feeds);
  const waits = createWaits(parts);
  const findFeed = (/** @type {Request} */ req) => feeds.find(new URLSearchParams(queryOf(req)).get('feed') ?? '');
  const withStalls = (/** @type {Endpoint} */ endpoint) => stallable(endpoint, { feeds, silences, waits, findFeed });
  /** @param {EndpointsBelow} below @returns {EndpointsBelow} */
  const withStallsBelow = (below) => ({
    ...below,
    endpointAt(path) {
      const endpoint = below.endpointAt(path);
      return endpoint && withStalls(endpoint);
    },
  });
  const converse = (/** @type {Speaker} */ speaker) => beginConversation(parts, speaker, silences);
  const ofSessions = { ...parts, converse, query: QUERY, sessions: SESSIONS };

  return {
    ws: withStalls(createWsFeed(parts, converse)),
    sockjs: withStallsBelow(
      createSockjs({ ...ofSessions, prefix: '/feeds', nameOf: (protocol) => `feed sockjs ${protocol}` }),
    ),
    socketio: withStallsBelow(
      // A drain is told as a cut is.
      createSocketio({ ...ofSessions, path: '/socket.io/feeds', name: 'feed socketio', connectsAgain: true }),
    ),

    /** Ends all that is silent. */
    closeAll() {
      silences.breakOffAll();
      waits.endAll();
    },
  };
}

/** @param {EndpointParts} parts @param {Speaker} speaker @param {Silences} silences @returns {Conversation} */
function beginConversation({ feeds, metrics }, speaker, silences) {
  const stop = begin(speaker, { feeds, silences });
  return {
    onMessage(message) {
      if (message === PING) return speaker.say(PONG);
      metrics.refused('bad-message');
      return speaker.say(formatError('bad-message', `message: expected ${PING}`));
    },
    onEnd: stop,
  };
}

/** @param {Speaker} speaker @param {{ feeds: EndpointParts['feeds'], silences: Silences }} own @returns {() => void} stops it */
function begin(speaker, { feeds, silences }) {
  const subscription = readSubscription(speaker, feeds);
  if (!subscription) return () => {};
  return subscribe({
    ...subscription,
    owned: { destroy: () => speaker.close(FAULT.code, FAULT.reason) },
    now: feeds.now,
    silences,
    line: {
      say: speaker.say,
      finish: () => speaker.close(NORMAL.code, NORMAL.reason),
      goAway: speaker.goAway,
      socket: () => speaker.socket,
    },
  });
}

/** @param {Speaker} speaker @param {EndpointParts['feeds']} feeds @returns {Subscription | undefined} absent if it was refused */
function readSubscription(speaker, feeds) {
  try {
    return parseSubscription(queryOf(speaker), feeds, { mayHaveOthers: true });
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    speaker.say(formatError(error.code, error.message));
    return undefined;
  }
}

/** @param {EndpointParts} parts @param {(speaker: Speaker) => Conversation} converse @returns {Endpoint} */
function createWsFeed(parts, converse) {
  const transport = 'feed ws';
  return createSocketEndpoint({
    limits: jobLimits(parts.limits),
    query: QUERY,
    sessions: SESSIONS,
    accept(req, socket) {
      return (client) => {
        holdOpen(client, parts, transport);
        const { onMessage, onEnd } = converse({
          url: req.url,
          say: (text) => client.send(text),
          close: (code, reason) => client.close(code, reason),
          goAway: () => client.close(GOING_AWAY.code, GOING_AWAY.reason),
          socket: /** @type {Socket} */ (socket),
        });
        client.on('message', (message, isBinary) => onMessage(isBinary ? message : message.toString()));
        client.on('close', onEnd);
      };
    },
  });
}
