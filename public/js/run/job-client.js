/** Creates the client of a user with jobs in a browser. All users of a page share its six connections over HTTP/1.1. */
import { parseJson } from '../../../core/base/foreign-text.js';
import { failureOf } from '../../../core/net/http.js';
import { openSocketBy } from '../../../core/net/open-socket.js';
import { watchConnection } from '../../../core/net/resource-timing.js';
import { siteUrl } from '../site-url.js';

/** @import { EventStream, JobAnswer, JobClient } from '../../../core/net/delivery/index.js' */
/** @import { SocketQueue } from './socket-queue.js' */
/** @import { Libraries } from '../libraries.js' */

/** The path of job creation. */
const JOBS = '/job';

/**
 * @param {object} options @param {Libraries} options.libraries
 * @param {SocketQueue} options.queue the same for all users of the page
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
