import { keepOpen } from './keep-open.js';
import { watchByPing } from './ping.js';

/** @import { Followed, SocketOptions } from './index.js' */

/**
 * Follows a feed over a socket that is opened again after each close; with pings also when it carries nothing any more, and
 * with replay from the first message that is missing.
 * @param {SocketOptions} options @param {Followed} followed gets what happens @returns {() => void} ends it
 */
export function followSocket({ open, hasPings, replays, ...options }, followed) {
  /** @type {number | undefined} */
  let next;
  return keepOpen(({ onOpen, onClose }) => {
    const socket = open(replays && next !== undefined ? `&since=${next}` : '');
    /** @type {ReturnType<typeof watchByPing> | undefined} */
    let pings;
    const end = (/** @type {string} */ reason) => {
      giveUp();
      followed.onLost(reason);
      onClose(reason);
    };
    const giveUp = () => {
      pings?.stop();
      socket.onopen = socket.onmessage = socket.onclose = socket.onerror = null;
      socket.close();
    };
    socket.onopen = () => {
      onOpen();
      followed.onOpen(socket.transport ?? 'websocket');
      if (hasPings)
        pings = watchByPing({ ...options, send: () => socket.send('ping'), onDead: () => end('no answer to a ping') });
    };
    socket.onmessage = ({ data }) => {
      if (data === 'pong') pings?.onAnswer();
      else next = Math.max(next ?? 0, followed.onMessage(data) + 1);
    };
    socket.onclose = ({ code }) => end(`closed with ${code}`);
    socket.onerror = () => {};
    return giveUp;
  }, options);
}
