import { keepOpen } from './keep-open.js';
import { watchByPing } from './ping.js';

/** @import { Followed, SocketOptions } from './index.js' */

/**
 * Follows a feed over a socket that is opened again after each close; with pings also when it carries nothing any more, and
 * with replay from the first message that is missing.
 * @param {SocketOptions} options @param {Followed} followed gets what happens @returns {() => void} ends it
 */
export function followSocket({ open, hasPings, replays, ...options }, followed) {
  let next = -1;
  return keepOpen(({ onOpen, onClose }) => {
    const channel = open(replays && next >= 0 ? `&since=${next}` : '');
    /** @type {{ onAnswer(): void, stop(): void } | undefined} */
    let pings;
    const giveUp = () => {
      pings?.stop();
      channel.on({});
      channel.end();
    };
    const end = (/** @type {string} */ reason) => {
      giveUp();
      followed.onLost(reason);
      onClose();
    };
    channel.on({
      open() {
        onOpen();
        followed.onOpen(channel.protocol);
        if (!hasPings) return;
        pings = watchByPing({
          ...options,
          // One that a closing connection does not take gets no answer, either.
          send: () => channel.isOpen && channel.send('ping'),
          onDead: () => end('no answer to a ping'),
        });
      },
      message(data) {
        if (data === 'pong') return pings?.onAnswer();
        const n = followed.onMessage(data);
        if (n >= next) next = n + 1;
      },
      end(_, event) {
        if (event) end(`closed with ${event.code}`);
      },
    });
    return giveUp;
  }, options);
}
