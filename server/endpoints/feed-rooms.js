/**
 * Sends feeds to rooms, as Socket.IO's recovery replays only what was sent to a room. A worker sends each message once, to all
 * who follow the feed there. While nobody does, it sends none, but it remembers the room for a while: whoever comes back gets
 * what has become due.
 */
import { firstDueAt } from '../../core/net/feed/feed.js';
import { guard } from '../http/boundary.js';
import { Pool } from '../http/pool.js';
import { sendDue, sendMessages } from './feed-subscriber.js';

/**
 * @import { Limits } from '../http/limits.js'
 * @import { TurnQueue } from '../http/turns.js'
 * @import { Recoverable } from '../sockets/socketio-recovery.js'
 * @import { Feed, Feeds } from './feeds.js'
 * @typedef {{ visitor: string, broadcast(message: string): void, finish(): void }} Member `broadcast` sends to the whole room;
 *   `finish` ends the member's session
 */

/** How long an empty room is remembered: more than the longest cut. */
const IDLE_MS = 40_000;

/** @typedef {ReturnType<typeof createFeedRooms>} FeedRooms */

/** @param {{ feeds: Feeds, limits: Limits, turns: TurnQueue }} parts */
export function createFeedRooms(parts) {
  const places = new Pool({ limit: parts.limits.feedRoomCount, noun: 'feeds that can be recovered' });
  /** @type {Map<string, Room>} by the ID of its feed */
  const rooms = new Map();

  /** @param {Feed} feed @param {Member} first @returns {Room} @throws {RefusalError} */
  const open = (feed, { visitor, broadcast }) => {
    const leavePlace = places.take(visitor);
    const onClose = () => {
      rooms.delete(feed.id);
      leavePlace();
    };
    const room = new Room({ ...parts, feed, broadcast, onClose });
    rooms.set(feed.id, room);
    return room;
  };

  return {
    /** Opens the room of a feed, or enters it. @param {Feed} feed @param {Member} member @returns {() => void} leaves it @throws {RefusalError} */
    enter(feed, member) {
      const room = rooms.get(feed.id) ?? open(feed, member);
      room.enter(member);
      return () => room.leave(member);
    },

    /** @param {string} id of a feed @returns {Recoverable | undefined} absent where nobody can come back to it */
    find: (id) => rooms.get(id),

    closeAll() {
      for (const room of [...rooms.values()]) room.close();
    },
  };
}

/** @implements {Recoverable} */
class Room {
  /** @type {Recoverable['packets']} */
  packets = [];
  /** @type {Recoverable['sessionIds']} */
  sessionIds = new Set();
  #options;
  /** @type {Set<Member>} */
  #members = new Set();
  /** The next message that is due, while nobody is here. */
  #next;
  /** @type {(() => number) | undefined} while messages are sent as they are due */
  #stop;
  /** @type {NodeJS.Timeout | undefined} */
  #idleTimer;
  #isClosed = false;

  /**
   * @param {{ feeds: Feeds, turns: TurnQueue, feed: Feed, broadcast(message: string): void, onClose(): void }} options
   */
  constructor(options) {
    const { feed, feeds } = options;
    this.#options = options;
    this.#next = firstDueAt(feeds.now() - feed.startMs, feed);
  }

  /** @param {Member} member */
  enter(member) {
    clearTimeout(this.#idleTimer);
    this.#members.add(member);
    const { feed, feeds, turns, broadcast } = this.#options;
    const finish = () => this.#finish();
    const line = { say: broadcast, finish };
    this.#stop ??= sendMessages({ feed, since: this.#next, line, owned: { destroy: finish }, now: feeds.now, turns });
  }

  /** @param {Member} member */
  leave(member) {
    this.#members.delete(member);
    if (this.#members.size > 0 || this.#isClosed) return;
    this.#next = this.#stop?.() ?? this.#next;
    this.#stop = undefined;
    const close = guard({ destroy: () => this.close() }, () => this.close());
    this.#idleTimer = setTimeout(close, IDLE_MS).unref();
  }

  /** Sends, to be replayed, what has become due while nobody was here. */
  catchUp() {
    if (this.#stop) return;
    const { feed, feeds, broadcast } = this.#options;
    this.#next = sendDue({ feed, next: this.#next, now: feeds.now, say: broadcast });
  }

  close() {
    this.#isClosed = true;
    this.#stop?.();
    clearTimeout(this.#idleTimer);
    this.#options.onClose();
  }

  #finish() {
    for (const member of this.#members) member.finish();
    this.close();
  }
}
