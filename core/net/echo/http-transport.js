/**
 * What all transports over HTTP have in common: the request that a payload becomes, what a failed one means, and how one
 * is given up. How a request is sent is each one's own.
 */
import { createAbortListener } from '../../base/abort-listener.js';
import { ExchangeError, parseRejection } from '../exchange-error.js';
import { measureColdHttpSetUp, watchRequests } from './resource-timing.js';

/** @import { Connection, Transport } from './index.js' */

/**
 * @typedef {{ abort(): void }} SentRequest
 *
 * @typedef {object} Outlet where a request's end goes
 * @property {(answer: any) => void} resolve
 * @property {(error: ExchangeError) => void} reject
 * @property {() => void} end to be called in either case: the request is no longer open
 */

/**
 * @param {object} options
 * @param {string} options.name
 * @param {string} options.url of the echo endpoint
 * @param {Performance} options.performance
 * @param {(payload: Record<string, any>, outlet: Outlet) => SentRequest} options.send returns before the request has ended
 * @returns {Transport}
 */
export function createHttpTransport({ name, url, performance, send }) {
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

  /** @type {Connection['exchange']} */
  const exchange = (payload, { signal }) =>
    new Promise((resolve, reject) => {
      listen(signal);
      const request = send(payload, { resolve, reject, end: () => open.delete(request) });
      open.set(request, reject);
    });

  return {
    name,
    capabilities: { socket: false },

    /** Sends nothing: the browser's pool opens connections when it needs them. */
    async connect() {
      const requests = watchRequests(performance, url);
      return {
        get protocol() {
          return requests.protocol();
        },
        get setUpMs() {
          return requests.setUpMs();
        },
        get requests() {
          return requests.count();
        },
        exchange,
        close() {},
      };
    },

    measureColdSetUp: ({ signal }) =>
      measureColdHttpSetUp({
        performance,
        url,
        request: (fields) => exchange(fields, { signal }),
      }),
  };
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

/**
 * @param {number} status 0 where no answer came
 * @param {unknown} answer absent where it is not JSON
 * @returns {ExchangeError} why this is not an answer to a payload
 */
export function failureOf(status, answer) {
  if (status >= 400) {
    return parseRejection(answer) ?? new ExchangeError('rejected', `The server answered ${status}.`);
  }
  if (status === 0) return new ExchangeError('closed', 'The connection was lost, or could not be opened.');
  return new ExchangeError('mismatch', 'The answer is not JSON.');
}
