/** fetch, on the same wire as AJAX and XHR: the browser's younger way to ask, and the only one that Node has, too. */
import { createHttpTransport, failureOf, requestOf } from './http-transport.js';

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
async function ask(fetch, payload, url, signal) {
  const { fields, json } = requestOf(payload);
  let status = 0;
  let answer;
  try {
    const response = fields
      ? await fetch(`${url}?${new URLSearchParams(fields)}`, { signal })
      : await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: json, signal });
    status = response.status;
    answer = await response.json();
  } catch {
    throw failureOf(status, undefined);
  }
  if (status >= 400) throw failureOf(status, answer);
  return answer;
}
