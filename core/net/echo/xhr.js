/** XMLHttpRequest by itself, on the same wire as jQuery's AJAX: the difference between the two is jQuery. */
import { parseJson } from '../../base/foreign-text.js';
import { failureOf } from '../http.js';
import { createHttpTransport, requestOf } from './http-transport.js';

/** @import { Transport } from './index.js' */

/**
 * @param {object} options
 * @param {typeof XMLHttpRequest} [options.library]
 * @param {string} options.url of the echo endpoint
 * @param {Performance} [options.performance]
 * @returns {Transport}
 */
export function createXhr({ library: Xhr = globalThis.XMLHttpRequest, url, performance = globalThis.performance }) {
  return createHttpTransport({
    name: 'xhr',
    url,
    performance,
    send(payload, { resolve, reject, end }) {
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
        reject(failureOf(0, undefined));
      };
      start(request, payload, url);
      return request;
    },
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
