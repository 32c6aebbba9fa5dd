/** Creates the connections of a run of streams in Node.js, whose EventSource is a package. */
import { EventSource } from 'eventsource';
import { createParser } from 'eventsource-parser';
import { packagesFor } from '../../core/experiment/plan/packages.js';
import { stream } from '../../core/experiments/stream/index.js';
import { readTraffic } from '../../core/net/delivery/traffic.js';
import { createJobClients } from '../net/job-client.js';
import { client as echo } from './echo.js';

/**
 * @import { StreamClient } from '../../core/net/stream/index.js'
 * @import { NodeClient } from './index.js'
 */

/** The only protocol of fetch in Node.js, and of what is built on it. */
const PROTOCOL = 'http/1.1';

/** @type {NodeClient} */
export const client = {
  ...echo,
  async prepareRun({ baseUrl, plan, signal }) {
    const createSockets = await createJobClients(baseUrl, packagesFor(stream, plan));
    return {
      /** @returns {StreamClient} */
      createClient() {
        const { openSocket } = createSockets();
        return { baseUrl, fetch, EventSource, createParser, openSocket, protocol: () => PROTOCOL };
      },
      readTraffic: (/** @type {string} */ trialId) => readTraffic(fetch, `${baseUrl}/traffic/${trialId}`, signal),
    };
  },
};
