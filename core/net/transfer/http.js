/** The transfer methods over HTTP: jQuery sends text, as all its versions can; fetch sends bytes. */
import { abortable } from '../../base/async.js';
import { parseJson } from '../../base/foreign-text.js';
import { failureOf, fetchAnswer } from '../http.js';
import { watchConnection } from '../resource-timing.js';

/**
 * @import { Outlet } from '../http.js'
 * @import { TransferMethod, TransferConnection, TransferOptions, Direction, Form } from './index.js'
 * @import { Message } from './content.js'
 *
 * @typedef {{ method: 'GET' | 'POST', url: string, body?: string | Uint8Array }} TransferRequest `body` of a POST
 * @typedef {(request: TransferRequest, outlet: Outlet, direction: Direction) => { abort(): void }} Send resolves the
 *   outlet with the whole answer; returns before that
 */

/** @param {TransferOptions} options `library`: jQuery, which needs a browser @returns {TransferMethod} */
export function createAjaxTransfer({ library: $, ...options }) {
  return createHttpTransfer('ajax', 'text', options, ({ method, url, body }, { resolve, reject }) =>
    $.ajax({
      url,
      method,
      data: body,
      processData: false,
      // Needs no CORS preflight.
      contentType: 'text/plain',
      dataType: 'text',
      success: resolve,
      error: (/** @type {JQuery.jqXHR} */ { status, responseText }) =>
        reject(failureOf(status, parseJson(responseText))),
    }),
  );
}

/** @param {TransferOptions} options @returns {TransferMethod} */
export function createFetchTransfer({ library: fetch = globalThis.fetch, ...options }) {
  return createHttpTransfer('fetch', 'binary', options, ({ url, method, body }, { resolve, reject }, direction) => {
    const controller = new AbortController();
    // Bytes have no content type, so they need no CORS preflight.
    const init = { method, body: /** @type {BodyInit | undefined} */ (body), signal: controller.signal };
    fetchAnswer(fetch, url, init, direction === 'up' ? readText : readBytes).then(resolve, reject);
    return controller;
  });
}

/** @param {Response} response @returns {Promise<string | ArrayBuffer>} */
const readText = (response) => response.text();
/** @param {Response} response @returns {Promise<string | ArrayBuffer>} */
const readBytes = (response) => response.arrayBuffer();

/** @param {string} name @param {Form} form @param {TransferOptions} options @param {Send} start @returns {TransferMethod} */
function createHttpTransfer(
  name,
  form,
  { origin, now = () => performance.now(), performance = globalThis.performance },
  start,
) {
  return {
    name,
    form,
    async connect(direction) {
      const url = `${origin}/payload/${direction}`;
      /** @type {TransferConnection['send']} */
      const send = (message, { signal }) =>
        abortable(signal, (resolve, reject) => {
          const startedAtMs = now();
          /** @param {string | ArrayBuffer} answer */
          const onAnswer = (answer) => resolve({ startedAtMs, endedAtMs: now(), answer });
          const request = start(requestOf(message, url), { resolve: onAnswer, reject }, direction);
          return () => request.abort();
        });
      return Object.assign(watchConnection(performance, url), { send });
    },
  };
}

/** @param {Message} message @param {string} url @returns {TransferRequest} */
function requestOf({ direction, bytes, offset, binary, text }, url) {
  if (direction === 'down') return { method: 'GET', url: `${url}?bytes=${bytes}&offset=${offset}` };
  return { method: 'POST', url, body: text ?? binary };
}
