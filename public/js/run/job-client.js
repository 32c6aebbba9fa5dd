/** Creates the client of a user with jobs in a browser. All users of a page share its six connections over HTTP/1.1. */
import { parseJson } from '../../../core/base/foreign-text.js';
import { failureOf } from '../../../core/net/http.js';
import { openSocketBy } from '../../../core/net/open-socket.js';
import { ABNORMAL, CLOSED, CONNECTING } from '../../../core/net/sockets.js';
import { watchConnection } from '../../../core/net/resource-timing.js';
import { siteUrl } from '../site-url.js';

/** @import { EventStream, JobAnswer, JobClient } from '../../../core/net/delivery/index.js' */
/** @import { Socket } from '../../../core/net/sockets.js' */
/** @import { Libraries } from '../libraries.js' */

/** The path of job creation. */
const JOBS = '/job';

/**
 * The maximum number of concurrent handshakes. Chromium delays the handshakes of a page that opens many at once, as a
 * protection against floods: hardly with five, by one to five seconds each with sixteen. Twenty real users have twenty
 * browsers, in which that never happens, so here the others wait in a queue:
 * https://source.chromium.org/chromium/chromium/src/+/main:services/network/websocket_throttler.cc
 */
const MAX_OPENING_COUNT = 4;

/**
 * @param {object} options @param {Libraries} options.libraries
 * @param {ReturnType<typeof createSocketQueue>} options.queue the same for all users of the page
 * @param {string} [options.path] of the first request in each trial, and in the browser's record @returns {JobClient}
 */
export function createJobClient({ libraries, queue, path = JOBS }) {
  /** @type {Libraries} */
  const implementations = { WebSocket, ...libraries };
  const requests = watchConnection(performance, siteUrl + path);
  return {
    request: (method, target, { signal }) => ask(method, siteUrl + target, signal),
    openEvents: (target) => openEvents(siteUrl + target),
    openSocket: (library, target) => queue(() => openSocketBy(library, implementations[library], siteUrl + target)),
    protocol: () => requests.protocol,
    // A page cannot close the browser's pool; sockets and streams are closed by their users.
    close() {},
  };
}

/**
 * @param {string} method @param {string} url @param {AbortSignal | undefined} signal
 * @returns {Promise<JobAnswer>} `answer`: absent if it is not JSON
 */
async function ask(method, url, signal) {
  try {
    const response = await fetch(url, { method, cache: 'no-store', signal });
    return { status: response.status, answer: parseJson(await response.text()) };
  } catch {
    if (signal?.aborted) throw signal.reason;
    throw failureOf(0, undefined);
  }
}

/** @param {string} url @returns {EventStream} */
function openEvents(url) {
  const source = new EventSource(url);
  /** @type {EventStream} */
  const stream = { onmessage: null, onclose: null, close: () => source.close() };
  source.onmessage = ({ data }) => stream.onmessage?.(data);
  source.onerror = () => {
    // The EventSource would reconnect, and the server would send all notifications again.
    source.close();
    stream.onclose?.('The event stream was interrupted.');
  };
  return stream;
}

/** @returns {(open: () => Socket) => Socket} returns a socket that connects after those before it in the queue */
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
