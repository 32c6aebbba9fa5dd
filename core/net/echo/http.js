/** The echoes over HTTP. A payload goes in the query of a GET, as in 2012; one with a body as JSON by POST. */
import { createAbortListener } from '../../base/async.js';
import { parseJson } from '../../base/foreign-text.js';
import { failureOf, fetchAnswer } from '../http.js';
import { closeConnections, watchConnection } from '../resource-timing.js';

/**
 * @import { Outlet } from '../http.js'
 * @import { Connection, Transport } from './index.js'
 * @typedef {{ url: string, performance?: Performance }} Endpoint
 * @typedef {{ abort(): void }} SentRequest
 * @typedef {(payload: Record<string, any>, outlet: Outlet & { end: () => void }) => SentRequest} Send returns before
 *   the request has ended; `end` is to be called when it has, in either case
 */

/**
 * Creates the transport of jQuery AJAX, as in 2012.
 * @param {Endpoint & { library: JQueryStatic }} options @returns {Transport}
 */
export function createAjax({ library: $, ...endpoint }) {
  return createHttpTransport('ajax', endpoint, (payload, { resolve, reject, end }) =>
    $.ajax({
      ...requestOf(payload, endpoint.url),
      dataType: 'json',
      success: resolve,
      error: ({ status, responseJSON }) => reject(failureOf(status, responseJSON)),
      complete: end,
    }),
  );
}

/**
 * Creates a transport of AJAX without jQuery.
 * @param {Endpoint & { library?: typeof XMLHttpRequest }} options @returns {Transport}
 */
export function createXhr({ library: Xhr = globalThis.XMLHttpRequest, ...endpoint }) {
  return createHttpTransport('xhr', endpoint, (payload, { resolve, reject, end }) => {
    const request = new Xhr();
    request.onload = () => {
      end();
      const { status } = request;
      const answer = parseJson(request.responseText);
      if (status >= 400 || answer === undefined) reject(failureOf(status, answer));
      else resolve(answer);
    };
    request.onerror = () => {
      end();
      reject(failureOf(0));
    };
    const { method, url, headers, body } = plainRequestOf(payload, endpoint.url);
    request.open(method, url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.send(body);
    return request;
  });
}

/**
 * Creates a transport of fetch, which Node.js has, too.
 * @param {Endpoint & { library?: typeof globalThis.fetch }} options @returns {Transport}
 */
export function createFetch({ library: fetch = globalThis.fetch, ...endpoint }) {
  return createHttpTransport('fetch', endpoint, (payload, { resolve, reject, end }) => {
    const controller = new AbortController();
    const { url, ...init } = plainRequestOf(payload, endpoint.url);
    const answer = fetchAnswer(fetch, url, { ...init, signal: controller.signal }, (response) => response.json());
    answer.then(resolve, reject).finally(end);
    return controller;
  });
}

/**
 * Returns the request for jQuery.
 * @param {Record<string, any>} payload @param {string} url
 * @returns {{ url: string, method?: string, contentType?: string, data: any }}
 */
function requestOf(payload, url) {
  if (payload.body === undefined) return { url, data: payload.whoami ? { whoami: 1 } : payload };
  return { url, method: 'POST', contentType: 'application/json', data: JSON.stringify(payload) };
}

/**
 * Returns the same request without jQuery.
 * @param {Record<string, any>} payload @param {string} endpoint
 * @returns {{ method: string, url: string, headers: Record<string, string>, body?: string }}
 */
function plainRequestOf(payload, endpoint) {
  const { url, method = 'GET', contentType, data } = requestOf(payload, endpoint);
  if (contentType) return { method, url, headers: { 'Content-Type': contentType }, body: String(data) };
  return { method, url: `${url}?${new URLSearchParams(data)}`, headers: {} };
}

/** @param {string} name @param {Endpoint} endpoint @param {Send} send @returns {Transport} */
function createHttpTransport(name, { url, performance = globalThis.performance }, send) {
  const exchange = createExchange(send);
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

/** @param {Send} send @returns {Connection['exchange']} */
function createExchange(send) {
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
      const request = send(payload, { resolve, reject, end: () => open.delete(request) });
      open.set(request, reject);
    });
}
