/**
 * Socket.IO's connection state recovery, with a bounded memory for each room. By itself the library keeps all that was sent to
 * any of them in two minutes, and looks it through for each session that comes back.
 */
import { createRequire } from 'node:module';

/**
 * @typedef {object} Recoverable a room to which sessions may come back
 * @property {unknown[]} packets that were sent to it
 * @property {Set<string>} sessionIds of those that have left it
 * @property {() => void} catchUp sends to it what has become due while nobody was there
 */

/** The adapter that the server itself has loaded. */
const { SessionAwareAdapter } = /** @type {typeof import('socket.io-adapter')} */ (
  createRequire(createRequire(import.meta.url).resolve('socket.io'))('socket.io-adapter')
);

/** Of one room. A feed has one client as a rule, and at most 500 messages in the longest cut. */
const SESSION_COUNT = 20;
const MESSAGE_COUNT = 1000;

/**
 * Returns the options of a Socket.IO server that recovers sessions: the library's defaults, but for that bound.
 * @param {(room: string) => Recoverable | undefined} findRoom
 */
export function recoverFrom(findRoom) {
  /** @param {Iterable<string>} names of rooms; each session has one of its own, too */
  const roomAmong = (names) => [...names].map(findRoom).find((room) => room !== undefined);

  class RoomAdapter extends SessionAwareAdapter {
    /** @override @param {any} session that has ended, and may be recovered */
    persistSession(session) {
      const ids = roomAmong(session.rooms)?.sessionIds;
      if (!ids) return;
      super.persistSession(session);
      ids.add(session.pid);
      const [oldest] = ids;
      if (ids.size > SESSION_COUNT && ids.delete(oldest)) sessionsOf(this).delete(oldest);
    }

    /** @override @param {any} id of the session @param {any} offset the last packet that its client got */
    async restoreSession(id, offset) {
      const room = roomAmong(sessionsOf(this).get(id)?.rooms ?? []);
      room?.catchUp();
      Object.assign(this, { packets: room?.packets ?? [] });
      return super.restoreSession(id, offset);
    }

    /** @override @param {any} packet @param {any} options */
    broadcast(packet, options) {
      const packets = roomAmong(options.rooms)?.packets ?? [];
      // The library adds to these.
      Object.assign(this, { packets });
      super.broadcast(packet, options);
      // The older half at once: one by one, each would move all others.
      if (packets.length > MESSAGE_COUNT) packets.splice(0, MESSAGE_COUNT / 2);
    }
  }
  return { connectionStateRecovery: {}, adapter: RoomAdapter };
}

/**
 * Returns the library's own sessions, which its types hide.
 * @param {object} adapter @returns {Map<string, { rooms: string[] }>} by the ID of each, of all rooms
 */
const sessionsOf = (adapter) => /** @type {any} */ (adapter).sessions;
