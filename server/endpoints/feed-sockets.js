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
import { createFeedRooms } from './feed-rooms.js';
import { createSilences, createWaits, stallable } from './feed-silences.js';
import { scheduleCut, subscribe } from './feed-subscriber.js';
import { createSocketio } from './socketio.js';
import { createSockjs } from './sockjs.js';
import { createSocketEndpoint, holdOpen } from './web-sockets.js';

/**
 * @import { IncomingMessage as Request } from 'node:http'
 * @import { Socket } from 'node:net'
 * @import { Endpoint } from '../http/gate.js'
 * @import { EndpointsBelow } from './index.js'
 * @import { Speaker as SocketioSpeaker } from '../sockets/socketio-session.js'
 * @import { Subscription } from './feed-options.js'
 * @import { EndpointParts } from '../parts.js'
 * @import { FeedRooms } from './feed-rooms.js'
 * @import { Feeds } from './feeds.js'
 * @typedef {{ url?: string, say(text: string): void, close(code: number, reason: string): void, goAway(): void, readonly socket?:
 *   Socket }} Speaker `socket`: beneath; absent while messages go over several requests
 * @typedef {Speaker & { visitor: string, enter: SocketioSpeaker['enter'] }} RoomSpeaker
 * @typedef {{ onMessage(message: unknown): void, onEnd(): void }} Conversation
 */

const QUERY = 'feed=:feed';
const SESSIONS = /** @type {const} */ ('feeds');
/** RFC 6455, section 7.4.1. */
const NORMAL = { code: 1000, reason: 'The feed has ended' };

/** @param {EndpointParts} parts @returns the endpoints of each library */
export function createFeedSockets(parts) {
  const { feeds, turns } = parts;
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
  const rooms = createFeedRooms(parts);
  const converse = (/** @type {Speaker} */ speaker) =>
    beginConversation(parts, speaker, (subscription) => subscribe({ ...subscription, ...ofSpeaker(speaker) }));
  const converseInRooms = (/** @type {RoomSpeaker} */ speaker) =>
    beginConversation(parts, speaker, (subscription) => enterRoom(rooms, subscription, speaker, ofSpeaker(speaker)));
  const ofSpeaker = (/** @type {Speaker} */ speaker) => ({ ...linkOf(speaker), now: feeds.now, silences, turns });
  const ofSessions = { ...parts, converse, query: QUERY, sessions: SESSIONS };

  return {
    ws: withStalls(createWsFeed(parts, converse)),
    sockjs: withStallsBelow(
      createSockjs({ ...ofSessions, prefix: '/feeds', nameOf: (protocol) => `feed sockjs ${protocol}` }),
    ),
    socketio: withStallsBelow(
      // A drain ends a session as a cut does.
      createSocketio({ ...ofSessions, path: '/socket.io/feeds', name: 'feed socketio', connectsAgain: true }),
    ),
    recoverable: withStallsBelow(
      createSocketio({
        ...ofSessions,
        converse: converseInRooms,
        path: '/socket.io/recoverable-feeds',
        name: 'feed socketio recovery',
        connectsAgain: true,
        recovers: rooms.find,
      }),
    ),

    /** Ends all that is silent. */
    closeAll() {
      silences.breakOffAll();
      waits.endAll();
      rooms.closeAll();
    },
  };
}

/**
 * @param {EndpointParts} parts @param {Speaker} speaker @param {(subscription: Subscription) => () => void} begin returns what ends it
 * @returns {Conversation}
 */
function beginConversation({ feeds, metrics }, speaker, begin) {
  const end = beginIfAllowed(speaker, feeds, begin);
  return {
    onMessage(message) {
      if (message === PING) return speaker.say(PONG);
      metrics.refused('bad-message');
      return speaker.say(formatError('bad-message', `message: expected ${PING}`));
    },
    onEnd: end,
  };
}

/**
 * Begins what a connection asks for, or says why not.
 * @param {Speaker} speaker @param {Feeds} feeds @param {(subscription: Subscription) => () => void} begin
 * @returns {() => void} ends it
 */
function beginIfAllowed(speaker, feeds, begin) {
  try {
    return begin(parseSubscription(queryOf(speaker), feeds, { mayHaveOthers: true }));
  } catch (error) {
    if (!(error instanceof RefusalError)) throw error;
    speaker.say(formatError(error.code, error.message));
    return () => {};
  }
}

/** @param {Speaker} speaker */
const linkOf = (speaker) => ({
  owned: { destroy: () => speaker.close(FAULT.code, FAULT.reason) },
  line: {
    say: speaker.say,
    finish: () => speaker.close(NORMAL.code, NORMAL.reason),
    goAway: speaker.goAway,
    socket: () => speaker.socket,
  },
});

/**
 * @param {FeedRooms} rooms @param {Subscription} subscription @param {RoomSpeaker} speaker
 * @param {Omit<Parameters<typeof scheduleCut>[0], 'feed'>} own @returns {() => void} leaves it @throws {RefusalError}
 */
function enterRoom(rooms, { feed, since }, { visitor, enter }, own) {
  if (since !== undefined)
    throw new RefusalError('bad-option', `since: expected none, as the library recovers, got ${since}`);
  // Only a session that is recovered gets what was missed.
  rooms.find(feed.id)?.catchUp();
  const leave = rooms.enter(feed, { visitor, broadcast: enter(feed.id), finish: own.line.finish });
  const forgetCut = scheduleCut({ feed, ...own });
  return () => {
    forgetCut();
    leave();
  };
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
