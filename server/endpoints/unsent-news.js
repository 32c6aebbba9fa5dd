/**
 * Counts news among the payload in flight, from the moment that it is handed to the connection until it is sent. News without a size is as small as any
 * answer, and counts as none.
 */
import { NO_BODY } from '../http/body.js';
import { guard } from '../http/boundary.js';
import { FAULT } from '../sockets/frames.js';
import { BUSY } from '../sockets/message-queue.js';
import { meterOf, unsentBytesOf } from '../sockets/socket-meter.js';

/**
 * @import { Speaker } from '../channel/index.js'
 * @import { BytesInFlight } from '../http/body.js'
 */

/**
 * Counts the news of one connection.
 * @param {{ inFlight: BytesInFlight, limits: { heartbeatMs: number }, metrics: { refused(code: string): void } }} parts
 * @param {{ close: Speaker['close'], socket?: Speaker['socket'] }} speaker
 */
export function createUnsentNews({ inFlight, limits, metrics }, speaker) {
  const holder = inFlight.openHolder();
  let heldBytes = 0;
  let isWatching = false;
  /** @type {NodeJS.Timeout | undefined} */
  let timer;

  const release = () => {
    isWatching = false;
    heldBytes = 0;
    holder.release();
  };
  const owned = { destroy: () => speaker.close(FAULT.code, FAULT.reason) };
  const look = () => {
    const { socket } = speaker;
    const unsentBytes = socket?.writable ? unsentBytesOf(socket) : 0;
    if (unsentBytes === 0) return release();
    heldBytes = Math.min(heldBytes, unsentBytes);
    holder.hold(heldBytes);
    return watch();
  };
  // Over several requests, a client gets it by its next one, or has ended its session after two heartbeats.
  const watch = () => {
    const { socket } = speaker;
    isWatching = true;
    if (socket) socket.write(NO_BODY, guard(socket, look));
    else timer = setTimeout(guard(owned, release), 2 * limits.heartbeatMs).unref();
  };

  return {
    /** Tells a piece of news; where there is no room for it, the connection is closed. @param {number} newsBytes @param {() => void} tell */
    tell(newsBytes, tell) {
      if (!holder.hold(heldBytes + newsBytes)) {
        metrics.refused(BUSY.name);
        speaker.close(BUSY.code, BUSY.reason);
        // A client that does not read would keep it open.
        return speaker.socket && meterOf(speaker.socket)?.discard();
      }
      heldBytes += newsBytes;
      tell();
      return heldBytes > 0 && !isWatching ? watch() : undefined;
    },

    /** Nothing more is sent. */
    end() {
      clearTimeout(timer);
      release();
    },
  };
}
