/**
 * A user with jobs, by the means of a browser. All users of a page share what the browser keeps for it: over HTTP/1.1 six
 * connections to a server.
 */
import { failureOf } from '../../../core/net/http.js';
import { openSockjs } from '../../../core/net/sockets.js';
import { watchRequests } from '../../../core/net/resource-timing.js';

/** @import { EventStream, JobAnswer, JobClient } from '../../../core/net/delivery/index.js' */

/** Where jobs are created: in each trial the first request, and by the browser's record the first to look at. */
const JOBS = '/job';

/**
 * @param {object} options
 * @param {typeof import('sockjs-client')} options.SockJS
 * @param {ReturnType<typeof import('./socket-queue.js').createSocketQueue>} options.queue the same for all users of the page
 * @param {string} [options.origin] of the server @returns {JobClient}
 */
export function createJobClient({ SockJS, queue, origin = location.origin }) {
  const requests = watchRequests(performance, origin + JOBS);
  return {
    request: (method, path, { signal }) => ask(method, origin + path, signal),
    openEvents: (path) => openEvents(origin + path),
    // Not all browsers take an http URL yet: https://developer.mozilla.org/docs/Web/API/WebSocket/WebSocket#url
    openSocket: (path) => queue(() => new WebSocket(origin.replace(/^http/, 'ws') + path)),
    openSockjs: (path) => queue(() => openSockjs(SockJS, origin + path)),
    protocol: () => requests.protocol(),
    // The browser's pool is not a page's to close; sockets and streams are closed by whoever opened them.
    close() {},
  };
}

/** @param {string} method @param {string} url @param {AbortSignal | undefined} signal @returns {Promise<JobAnswer>} */
async function ask(method, url, signal) {
  try {
    const response = await fetch(url, { method, cache: 'no-store', signal });
    const text = await response.text();
    return { status: response.status, answer: parse(text) };
  } catch {
    if (signal?.aborted) throw signal.reason;
    throw failureOf(0, undefined);
  }
}

/** @param {string} text @returns {any} absent where it is not JSON */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param {string} url @returns {EventStream} */
function openEvents(url) {
  const source = new EventSource(url);
  /** @type {EventStream} */
  const stream = { onmessage: null, onclose: null, close: () => source.close() };
  source.onmessage = ({ data }) => stream.onmessage?.(data);
  source.onerror = () => {
    // It would connect again by itself, and the server would send all notifications again.
    source.close();
    stream.onclose?.('The stream of events ended.');
  };
  return stream;
}
