/**
 * Feeds that are sent to rooms, as Socket.IO's recovery replays only what was sent to a room: a worker sends each message once,
 * to all who follow the feed there, and goes on for a while when the last of them is gone, as it may come back.
 */
import { guard } from '../http/boundary.js';
import { Pool } from '../http/pool.js';
import { sendMessages } from './feed-subscriber.js';

/**
 * @import { EndpointParts } from '../parts.js'
 * @import { Feed } from './feeds.js'
 * @typedef {{ visitor: string, broadcast(message: string): void, finish(): void }} Member `broadcast` sends to the whole room;
 *   `finish` ends the member's session
 * @typedef {{ members: Set<Member>, close(): void, idleTimer?: NodeJS.Timeout }} Room
 */

/**
 * How long a room goes on without anybody: more than the longest cut, and half of the time in which the library recovers a
 * session, so that what visitors abandon costs little.
 */
const IDLE_MS = 60_000;

/** @param {Pick<EndpointParts, 'feeds' | 'limits'>} parts */
export function createFeedRooms({ feeds, limits }) {
  const places = new Pool({ limit: limits.feedSessionCount, noun: 'feeds that can be recovered' });
  /** @type {Map<string, Room>} by the ID of its feed */
  const rooms = new Map();

  /** @param {Feed} feed @param {Member} first @returns {Room} @throws {RefusalError} */
  const open = (feed, { visitor, broadcast }) => {
    const leavePlace = places.take(visitor);
    const room = {
      /** @type {Set<Member>} */
      members: new Set(),
      close() {
        stop();
        clearTimeout(/** @type {Room} */ (room).idleTimer);
        rooms.delete(feed.id);
        leavePlace();
      },
    };
    const finish = () => {
      for (const member of room.members) member.finish();
      room.close();
    };
    const stop = sendMessages({
      feed,
      line: { say: broadcast, finish },
      owned: { destroy: finish },
      now: feeds.now,
    });
    rooms.set(feed.id, room);
    return room;
  };

  return {
    /** Opens the room of a feed, or enters it. @param {Feed} feed @param {Member} member @returns {() => void} leaves it @throws {RefusalError} */
    enter(feed, member) {
      const room = rooms.get(feed.id) ?? open(feed, member);
      clearTimeout(room.idleTimer);
      room.members.add(member);
      return () => {
        room.members.delete(member);
        if (room.members.size > 0 || rooms.get(feed.id) !== room) return;
        const closeIdle = guard({ destroy: room.close }, room.close);
        room.idleTimer = setTimeout(closeIdle, IDLE_MS).unref();
      };
    },

    closeAll() {
      for (const { close } of [...rooms.values()]) close();
    },
  };
}
