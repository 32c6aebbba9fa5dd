/**
 * Feeds over any connection that lasts. The query of their URLs names the feed. A client may send `ping`, and gets `pong`, to find
 * out whether the connection still carries anything.
 */
import { formatError, queryOf, RefusalError } from '../http/exchange.js';
import { FAULT } from '../sockets/frames.js';
import { jobLimits } from '../sockets/limits.js';
import { PING, PONG } from '../../core/net/feed/feed.js';
import { createFeedRooms } from './feed-rooms.js';
import { createSilences, createWaits, stallable } from './feed-silences.js';
import { scheduleCut, subscribe } from './feed-subscriber.js';
import { parseSubscription } from './feeds.js';

/**
 * @import { IncomingMessage as Request } from 'node:http'
 * @import { Conversation, Protocol, ProtocolOverOne, Speaker } from '../channel/index.js'
 * @import { EndpointsBelow } from './index.js'
 * @import { EndpointParts } from '../parts.js'
 * @import { FeedRooms } from './feed-rooms.js'
 * @import { Feeds, Subscription } from './feeds.js'
 */

/** RFC 6455, section 7.4.1. */
const NORMAL = { code: 1000, reason: 'The feed has ended' };

/**
 * @param {EndpointParts} parts
 * @returns `protocol`: of feeds; `recoverable`: the same for libraries that bring what was missed by themselves
 */
export function createFeedProtocol(parts) {
  const { feeds, turns } = parts;
  const silences = createSilences(feeds);
  const waits = createWaits(parts);
  const findFeed = (/** @type {Request} */ req) => feeds.find(new URLSearchParams(queryOf(req)).get('feed') ?? '');
  const rooms = createFeedRooms(parts);
  const ofSpeaker = (/** @type {Speaker} */ speaker) => ({ ...linkOf(speaker), now: feeds.now, silences, turns });
  /** @type {Protocol} */
  const protocol = {
    limits: jobLimits(parts.limits),
    query: 'feed=:feed',
    sessions: 'feeds',
    // A drain ends a session as a cut does.
    connectsAgain: true,
    converse: (speaker) =>
      beginConversation(parts, speaker, (subscription) => subscribe({ ...subscription, ...ofSpeaker(speaker) })),
  };
  /** @type {ProtocolOverOne} */
  const recoverable = {
    ...protocol,
    only: { kind: 'socketio', path: '/socket.io/recoverable-feeds', name: 'feed socketio recovery' },
    recovers: rooms.find,
    converse: (speaker) =>
      beginConversation(parts, speaker, (subscription) => enterRoom(rooms, subscription, speaker, ofSpeaker(speaker))),
  };

  return {
    protocol,
    recoverable,

    /** Lets endpoints feel the stalls of feeds. @param {EndpointsBelow} below @returns {EndpointsBelow} */
    withStalls: (below) => ({
      ...below,
      endpointAt(path) {
        const endpoint = below.endpointAt(path);
        return endpoint && stallable(endpoint, { feeds, silences, waits, findFeed });
      },
    }),

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
 * @param {FeedRooms} rooms @param {Subscription} subscription @param {Speaker} speaker whose library has rooms
 * @param {Omit<Parameters<typeof scheduleCut>[0], 'feed'>} own @returns {() => void} leaves it @throws {RefusalError}
 */
function enterRoom(rooms, { feed, since }, { visitor, enter }, own) {
  if (since !== undefined)
    throw new RefusalError('bad-option', `since: expected none, as the library recovers, got ${since}`);
  // Only a session that is recovered gets what was missed.
  rooms.find(feed.id)?.catchUp();
  const leave = rooms.enter(feed, {
    visitor,
    broadcast: /** @type {NonNullable<typeof enter>} */ (enter)(feed.id),
    finish: own.line.finish,
  });
  const forgetCut = scheduleCut({ feed, ...own });
  return () => {
    forgetCut();
    leave();
  };
}
