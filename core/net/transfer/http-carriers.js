/** The carriers over HTTP: jQuery with text, which is what all its versions have to offer, and fetch with bytes. */
import { abortable } from '../../base/abortable.js';
import { parseJson } from '../../base/parse-json.js';
import { failureOf, fetchAnswer, watchConnection } from '../http.js';

/**
 * @import { Outlet } from '../http.js'
 * @import { Carrier, CarrierConnection, CarrierOptions, Direction, Form } from './index.js'
 * @import { Message } from './message.js'
 */

/**
 * @typedef {object} CarrierRequest
 * @property {'GET' | 'POST'} method
 * @property {string} url
 * @property {string | Uint8Array} [body] only of a POST
 *
 * @typedef {(request: CarrierRequest, outlet: Outlet, direction: Direction) => { abort(): void }} Send gives the answer as
 *   soon as it is whole; returns before that
 */

/** @param {CarrierOptions} options `library` is jQuery, which needs a browser @returns {Carrier} */
export function createAjaxCarrier({ library: $, ...options }) {
  return createHttpCarrier('ajax', 'text', options, ({ method, url, body }, { resolve, reject }) =>
    $.ajax({
      url,
      method,
      data: body,
      processData: false,
      // Another origin is sent this without being asked first.
      contentType: 'text/plain',
      dataType: 'text',
      success: resolve,
      error: (/** @type {JQuery.jqXHR} */ { status, responseText }) =>
        reject(failureOf(status, parseJson(responseText))),
    }),
  );
}

/** @param {CarrierOptions} options @returns {Carrier} */
export function createFetchCarrier({ library: fetch = globalThis.fetch, ...options }) {
  return createHttpCarrier('fetch', 'binary', options, ({ url, method, body }, { resolve, reject }, direction) => {
    const controller = new AbortController();
    // Bytes go without a type, so another origin is sent them without being asked first.
    const init = { method, body: /** @type {BodyInit | undefined} */ (body), signal: controller.signal };
    fetchAnswer(fetch, url, init, direction === 'up' ? readText : readBytes).then(resolve, reject);
    return controller;
  });
}

/** @param {Response} response @returns {Promise<string | ArrayBuffer>} */
const readText = (response) => response.text();
/** @param {Response} response @returns {Promise<string | ArrayBuffer>} */
const readBytes = (response) => response.arrayBuffer();

/** @param {string} name @param {Form} form @param {CarrierOptions} options @param {Send} send @returns {Carrier} */
function createHttpCarrier(
  name,
  form,
  { origin, now = () => performance.now(), performance = globalThis.performance },
  send,
) {
  return {
    name,
    form,
    async connect(direction) {
      const url = `${origin}/payload/${direction}`;
      /** @type {CarrierConnection['send']} */
      const sendMessage = (message, { signal }) =>
        abortable(signal, (resolve, reject) => {
          const startedAtMs = now();
          const outlet = {
            /** @param {string | ArrayBuffer} answer */
            resolve: (answer) => resolve({ startedAtMs, endedAtMs: now(), answer }),
            reject,
          };
          const request = send(requestOf(message, url), outlet, direction);
          return () => request.abort();
        });
      return Object.assign(watchConnection(performance, url), { send: sendMessage });
    },
  };
}

/** @param {Message} message @param {string} url @returns {CarrierRequest} */
function requestOf({ direction, bytes, offset, binary, text }, url) {
  if (direction === 'down') return { method: 'GET', url: `${url}?bytes=${bytes}&offset=${offset}` };
  return { method: 'POST', url, body: text ?? binary };
}
