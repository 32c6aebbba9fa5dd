/** Creates the client of a user with jobs in a browser. All users of a page share its six connections over HTTP/1.1. */
import { parseJson } from '../../../core/base/foreign-text.js';
import { failureOf } from '../../../core/net/http.js';
import { eventStream } from '../../../core/net/channel/event-stream.js';
import { kinds, openSocket } from '../../../core/net/channel/index.js';
import { watchConnection } from '../../../core/net/resource-timing.js';
import { siteUrl } from '../site-url.js';

/** @import { JobAnswer, JobClient } from '../../../core/net/delivery/index.js' */
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
  const requests = watchConnection(performance, siteUrl + path);
  return {
    request: (method, target, { signal }) => ask(method, siteUrl + target, signal),
    openSocket(kind, target) {
      const open = () => openSocket(kind, siteUrl + target, { library: libraries[kinds[kind].library] });
      return kind === eventStream.name ? open() : queue(open);
    },
    protocol: () => requests.protocol,
    // A page cannot close the browser's pool; sockets are closed by their users.
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
