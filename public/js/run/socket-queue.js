/** @import { JobSocket } from '../../../core/net/delivery/index.js' */

/**
 * Sockets that are opened few at a time.
 *
 * Chromium holds the handshakes of a page back that opens many at once: with five under way hardly, with sixteen by one to
 * five seconds each, as its own guard against floods. Twenty users have twenty browsers, in which that never happens; so that
 * it does not here, the others wait their turn:
 * https://source.chromium.org/chromium/chromium/src/+/main:services/network/websocket_throttler.cc
 */
const MOST_OPENING = 4;

const CONNECTING = 0;
const CLOSED = 3;
/** Of WebSocket, for one that broke off. */
const ABNORMAL = 1006;

/** @returns {(open: () => JobSocket) => JobSocket} gives a socket that begins to connect when it is its turn */
export function createSocketQueue() {
  /** @type {(() => void)[]} */
  const waiting = [];
  let openingCount = 0;

  const startNext = () => {
    while (openingCount < MOST_OPENING && waiting.length > 0) {
      openingCount++;
      waiting.shift()?.();
    }
  };

  /** @returns {() => void} to be called when one is open, or will never be; more often does no harm */
  const createRelease = () => {
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      openingCount--;
      startNext();
    };
  };

  return (open) => {
    const queued = createQueuedSocket(open, createRelease());
    waiting.push(queued.start);
    startNext();
    return queued.socket;
  };
}

/**
 * Dressed as the socket that it will be.
 * @param {() => JobSocket} open @param {() => void} release @returns {{ socket: JobSocket, start(): void }}
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
  return {
    socket,
    start() {
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
    },
  };
}
