/** The echoes over HTTP. A payload goes in the query of a GET, as in 2012; one with a body as JSON by POST. */
import { createAbortListener } from '../../base/async.js';
import { parseJson } from '../../base/foreign-text.js';
import { failureOf, fetchAnswer } from '../http.js';
import { measureColdHttpSetUp, watchConnection } from '../resource-timing.js';

/**
 * @import { Outlet } from '../http.js'
 * @import { Connection, Transport } from './index.js'
 * @typedef {{ url: string, performance?: Performance }} Endpoint
 * @typedef {{ abort(): void }} SentRequest
 * @typedef {(payload: Record<string, any>, outlet: Outlet & { end: () => void }) => SentRequest} Send returns before
 *   the request has ended; `end` is to be called when it has, in either case
 */

/** jQuery AJAX, as in 2012. @param {Endpoint & { library: JQueryStatic }} options @returns {Transport} */
export function createAjax({ library: $, ...endpoint }) {
  return createHttpTransport('ajax', endpoint, (payload, { resolve, reject, end }) =>
    $.ajax({
      ...settingsOf(payload, endpoint.url),
      dataType: 'json',
      success: resolve,
      error: ({ status, responseJSON }) => reject(failureOf(status, responseJSON)),
      complete: end,
    }),
  );
}

/** @param {Record<string, any>} payload @param {string} url @returns {JQuery.AjaxSettings} */
function settingsOf(payload, url) {
  const { fields, json } = requestOf(payload);
  if (fields) return { url, data: fields };
  return { url, method: 'POST', contentType: 'application/json', data: json };
}

/**
 * By itself: what AJAX takes more is jQuery.
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
    start(request, payload, endpoint.url);
    return request;
  });
}

/** @param {XMLHttpRequest} request @param {Record<string, any>} payload @param {string} url */
function start(request, payload, url) {
  const { fields, json } = requestOf(payload);
  if (fields) {
    request.open('GET', `${url}?${new URLSearchParams(fields)}`);
    request.send();
  } else {
    request.open('POST', url);
    request.setRequestHeader('Content-Type', 'application/json');
    request.send(json);
  }
}

/** What Node.js has, too. @param {Endpoint & { library?: typeof globalThis.fetch }} options @returns {Transport} */
export function createFetch({ library: fetch = globalThis.fetch, ...endpoint }) {
  return createHttpTransport('fetch', endpoint, (payload, { resolve, reject, end }) => {
    const controller = new AbortController();
    ask(fetch, payload, endpoint.url, controller.signal).then(resolve, reject).finally(end);
    return controller;
  });
}

/** @param {typeof globalThis.fetch} fetch @param {Record<string, any>} payload @param {string} url @param {AbortSignal} signal */
function ask(fetch, payload, url, signal) {
  const { fields, json } = requestOf(payload);
  if (fields) return fetchAnswer(fetch, `${url}?${new URLSearchParams(fields)}`, { signal }, readJson);
  const headers = { 'Content-Type': 'application/json' };
  return fetchAnswer(fetch, url, { method: 'POST', headers, body: json, signal }, readJson);
}

/** @param {Response} response @returns {Promise<any>} */
const readJson = (response) => response.json();

/** @param {Record<string, any>} payload @returns {{ fields?: Record<string, any>, json?: string }} one of the two */
function requestOf(payload) {
  if (payload.body !== undefined) return { json: JSON.stringify(payload) };
  return { fields: payload.whoami ? { whoami: 1 } : payload };
}

/** @param {string} name @param {Endpoint} endpoint @param {Send} send @returns {Transport} */
function createHttpTransport(name, { url, performance = globalThis.performance }, send) {
  const exchange = createExchange(send);
  return {
    name,
    capabilities: { socket: false },
    connect: async () => Object.assign(watchConnection(performance, url), { exchange }),
    measureColdSetUp: (options) => measureColdHttpSetUp(performance, url, (fields) => exchange(fields, options)),
  };
}

/** @param {Send} send @returns {Connection['exchange']} */
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
