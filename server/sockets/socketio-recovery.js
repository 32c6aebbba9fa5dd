/** Socket.IO's connection state recovery, with a bounded memory: by itself it keeps all that was sent in two minutes. */
import { createRequire } from 'node:module';

/** The adapter that the server itself has loaded. */
const { SessionAwareAdapter } = /** @type {typeof import('socket.io-adapter')} */ (
  createRequire(createRequire(import.meta.url).resolve('socket.io'))('socket.io-adapter')
);

/** Of one worker, for all its feeds: a default run needs fewer than a hundred messages at a time. */
const SESSION_COUNT = 1000;
const MESSAGE_COUNT = 4000;

class BoundedAdapter extends SessionAwareAdapter {
  /** @override @param {any} session that has ended, and may be recovered */
  persistSession(session) {
    const { sessions } = /** @type {{ sessions: Map<string, unknown> }} */ (/** @type {any} */ (this));
    super.persistSession(session);
    if (sessions.size > SESSION_COUNT) sessions.delete(String(sessions.keys().next().value));
  }

  /** @override @param {any} packet @param {any} options */
  broadcast(packet, options) {
    const { packets } = /** @type {{ packets: unknown[] }} */ (/** @type {any} */ (this));
    super.broadcast(packet, options);
    // The older half at once: one by one, each would move all others.
    if (packets.length > MESSAGE_COUNT) packets.splice(0, MESSAGE_COUNT / 2);
  }
}

/** The options of a Socket.IO server that recovers sessions: the library's defaults, but for that bound. */
export const recovery = {
  connectionStateRecovery: {},
  adapter: BoundedAdapter,
};
