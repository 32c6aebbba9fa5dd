/** The page of streams: a browser's connections, and the code to start with. */
import { createParser } from 'eventsource-parser';
import { stream } from '../../../core/experiments/stream/index.js';
import { readTraffic } from '../../../core/net/delivery/traffic.js';
import { watchConnection } from '../../../core/net/resource-timing.js';
import { streamMethods } from '../../../core/net/stream/index.js';
import { createJobClient } from '../run/job-client.js';
import { createSocketQueue } from '../run/socket-queue.js';
import { at, siteUrl } from '../site-url.js';
import { createStreamDetails } from '../ui/stream-details.js';

/**
 * @import { RunMeans } from '../../../core/experiment/contract.js'
 * @import { StreamClient } from '../../../core/net/stream/index.js'
 * @import { PageClient, PageRun } from './contract.js'
 */

/** @param {PageRun} run @returns {RunMeans} */
function prepareRun({ plan, libraries, signal }) {
  const { openSocket } = createJobClient({ libraries, queue: createSocketQueue() });
  const protocol = watchProtocol(plan.methods);
  return {
    /** @returns {StreamClient} */
    createClient: () => ({
      baseUrl: siteUrl,
      fetch: fetch.bind(window),
      EventSource,
      createParser,
      openSocket,
      protocol,
    }),
    readTraffic: (/** @type {string} */ trialId) => readTraffic(fetch, at(`/traffic/${trialId}`), signal),
  };
}

/** Requests of all methods share the browser's connections. @param {readonly string[]} methods @returns {() => string | undefined} */
function watchProtocol(methods) {
  const rows = methods.map((name) => streamMethods[name]).filter(({ client: by }) => by !== 'socket');
  const paths = [...new Set(rows.map(({ endpoint }) => endpoint))];
  const watched = paths.map((path) => watchConnection(performance, siteUrl + path));
  return () => watched.map((one) => one.protocol).find(Boolean);
}

/** @type {PageClient} */
export const client = { prepareRun, createDetails: () => createStreamDetails(stream) };
