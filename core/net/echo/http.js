/** The echoes by requests. A payload goes in the query of a GET, as in 2012; one with a body as JSON by POST. */
import { createAbortListener } from '../../base/async.js';
import { openHttp } from '../channel/http.js';
import { closeConnections, watchConnection } from '../resource-timing.js';

/**
 * @import { Ask, Request, SentRequest } from '../channel/http.js'
 * @import { Connection, EchoOptions, Transport } from './index.js'
 */

/** Creates a transport that sends each message as a request. @param {EchoOptions} options @returns {Transport} */
export function createHttpTransport({ name, libraryName, library, url, performance = globalThis.performance }) {
  const exchange = createExchange(url, openHttp(libraryName, library).json);
  return {
    name,
    capabilities: { socket: false },
    connect: async () => Object.assign(watchConnection(performance, url), { exchange }),
    async measureColdSetUp(options) {
      const setUpMs = await closeConnections(performance, url, (count) => exchange({ count, close: 1 }, options));
      // This leaves an open connection, as it was found, so that it does not slow down the next run.
      if (setUpMs !== undefined) await exchange({ count: 0 }, options);
      return setUpMs;
    },
  };
}

/** @param {Record<string, any>} payload @param {string} url @returns {Request} */
function requestOf(payload, url) {
  if (payload.body === undefined) return { url, query: payload.whoami ? { whoami: 1 } : payload };
  return { url, method: 'POST', type: 'application/json', body: JSON.stringify(payload) };
}

/** @param {string} url @param {Ask} ask @returns {Connection['exchange']} */
function createExchange(url, ask) {
  /** @type {Map<SentRequest, (reason: unknown) => void>} requests without an answer, and what gives each up */
  const open = new Map();
  const listen = createAbortListener((reason) => {
    for (const [request, reject] of open) {
      // This rejects first: the abort makes some libraries report a failure, which is not the cause.
      reject(reason);
      request.abort();
    }
    open.clear();
  });
  return (payload, { signal }) =>
    new Promise((resolve, reject) => {
      listen(signal);
      const request = ask(requestOf(payload, url), { resolve, reject, end: () => open.delete(request) });
      open.set(request, reject);
    });
}
