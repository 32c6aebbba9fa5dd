/** What all echoes over HTTP have in common: the request that a payload becomes, and how one is given up. */
import { createAbortListener } from '../../base/async.js';
import { watchConnection } from '../http.js';
import { measureColdHttpSetUp } from './resource-timing.js';

/**
 * @import { Outlet } from '../http.js'
 * @import { Connection, Transport } from './index.js'
 */

/**
 * @typedef {{ abort(): void }} SentRequest
 *
 * @typedef {object} Options
 * @property {string} name
 * @property {string} url of the echo endpoint
 * @property {Performance} performance
 * @property {(payload: Record<string, any>, outlet: Outlet & { end: () => void }) => SentRequest} send returns before the
 *   request has ended; `end` is to be called when it has, in either case
 */

/** @param {Options} options @returns {Transport} */
export function createHttpTransport({ name, url, performance, send }) {
  const exchange = createExchange(send);
  return {
    name,
    capabilities: { socket: false },
    connect: async () => Object.assign(watchConnection(performance, url), { exchange }),
    measureColdSetUp: ({ signal }) =>
      measureColdHttpSetUp({ performance, url, request: (fields) => exchange(fields, { signal }) }),
  };
}

/** @param {Options['send']} send @returns {Connection['exchange']} */
function createExchange(send) {
  /** @type {Map<SentRequest, (reason: unknown) => void>} requests without an answer, and what gives each up */
  const open = new Map();
  const listen = createAbortListener((reason) => {
    for (const [request, reject] of open) {
      // Rejected first: the abort makes some libraries report a failure, which is not the cause.
      reject(reason);
      request.abort();
    }
    open.clear();
  });
  return (payload, { signal }) =>
    new Promise((resolve, reject) => {
      listen(signal);
      const request = send(payload, { resolve, reject, end: () => open.delete(request) });
      open.set(request, reject);
    });
}

/**
 * A payload goes in the query of a GET, as in 2012; one with a body goes as JSON by POST.
 *
 * @param {Record<string, any>} payload
 * @returns {{ fields: Record<string, any>, json?: undefined } | { fields?: undefined, json: string }}
 */
export function requestOf(payload) {
  if (payload.body !== undefined) return { json: JSON.stringify(payload) };
  return { fields: payload.whoami ? { whoami: 1 } : payload };
}
