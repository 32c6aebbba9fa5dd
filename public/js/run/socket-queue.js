/** The queue in which the sockets of a page open, a few at a time. */
import { ABNORMAL, CLOSED, CONNECTING } from '../../../core/net/channel/channel.js';

/** @import { Socket } from '../../../core/net/channel/channel.js' */

/**
 * The maximum number of concurrent handshakes. Chromium delays the handshakes of a page that opens many at once, as a
 * protection against floods: hardly with five, by one to five seconds each with sixteen. Twenty real users have twenty
 * browsers, in which that never happens, so here the others wait in a queue.
 * @see https://source.chromium.org/chromium/chromium/src/+/main:services/network/websocket_throttler.cc
 */
const MAX_OPENING_COUNT = 4;

/** @typedef {(open: () => Socket) => Socket} SocketQueue returns a socket that connects after those before it */

/** @returns {SocketQueue} */
export function createSocketQueue() {
  /** @type {(() => void)[]} */
  const waiting = [];
  let openingCount = 0;

  const startNext = () => {
    while (openingCount < MAX_OPENING_COUNT && waiting.length > 0) {
      openingCount++;
      waiting.shift()?.();
    }
  };

  return (open) => {
    let isHeld = true;
    // This runs when the socket is open, or will never be; more than once does no harm.
    const release = () => {
      if (!isHeld) return;
      isHeld = false;
      openingCount--;
      startNext();
    };
    const { socket, start } = createQueuedSocket(open, release);
    waiting.push(start);
    startNext();
    return socket;
  };
}

/**
 * Returns an object with the interface of the socket that it will be.
 * @param {() => Socket} open @param {() => void} release
 */
function createQueuedSocket(open, release) {
  /** @type {any} */
  let opened;
  let isGivenUp = false;
  /** @type {any} */
  const socket = {
    get readyState() {
      return opened ? opened.readyState : isGivenUp ? CLOSED : CONNECTING;
    },
    get transport() {
      return opened?.transport;
    },
    onopen: null,
    onmessage: null,
    onclose: null,
    onerror: null,
    send: (/** @type {string} */ text) => opened.send(text),
    close() {
      if (opened) {
        opened.close();
      } else if (!isGivenUp) {
        isGivenUp = true;
        queueMicrotask(() => socket.onclose?.({ code: ABNORMAL, reason: '' }));
      }
    },
  };
  const start = () => {
    if (isGivenUp) {
      release();
      return;
    }
    opened = open();
    opened.onmessage = (/** @type {MessageEvent} */ event) => socket.onmessage?.(event);
    for (const name of ['onopen', 'onclose', 'onerror']) {
      opened[name] = (/** @type {Event} */ event) => {
        release();
        socket[name]?.(event);
      };
    }
  };
  return { socket, start };
}
