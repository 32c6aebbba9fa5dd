/** fetch, on the same wire as AJAX and XHR: the browser's younger way to ask, and the only one that Node has, too. */
import { fetchAnswer } from '../http.js';
import { createHttpTransport, requestOf } from './http-transport.js';

/** @import { Transport } from './index.js' */

/**
 * @param {object} options
 * @param {typeof globalThis.fetch} [options.library]
 * @param {string} options.url of the echo endpoint
 * @param {Performance} [options.performance]
 * @returns {Transport}
 */
export function createFetch({ library: fetch = globalThis.fetch, url, performance = globalThis.performance }) {
  return createHttpTransport({
    name: 'fetch',
    url,
    performance,
    send(payload, { resolve, reject, end }) {
      const controller = new AbortController();
      ask(fetch, payload, url, controller.signal).then(resolve, reject).finally(end);
      return controller;
    },
  });
}

/**
 * @param {typeof globalThis.fetch} fetch
 * @param {Record<string, any>} payload
 * @param {string} url
 * @param {AbortSignal} signal
 * @returns {Promise<any>}
 */
function ask(fetch, payload, url, signal) {
  const { fields, json } = requestOf(payload);
  if (fields) return fetchAnswer(fetch, `${url}?${new URLSearchParams(fields)}`, { signal }, readJson);
  const headers = { 'Content-Type': 'application/json' };
  return fetchAnswer(fetch, url, { method: 'POST', headers, body: json, signal }, readJson);
}

/** @param {Response} response */
const readJson = (response) => response.json();
