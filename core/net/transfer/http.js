/** The transfer methods over HTTP: jQuery sends text, as all its versions can; fetch sends binary data. */
import { abortable } from '../../base/async.js';
import { parseJson } from '../../base/foreign-text.js';
import { failureOf, fetchAnswer } from '../http.js';
import { ExchangeError } from '../exchange-error.js';
import { closeConnections, watchConnection } from '../resource-timing.js';

/**
 * @import { RequestCounts } from '../echo/index.js'
 * @import { Outlet } from '../http.js'
 * @import { TransferMethod, TransferOptions, Direction, Form, Receipt } from './index.js'
 * @import { Message } from './content.js'
 * @typedef {{ method: 'GET' | 'POST', url: string, body?: string | Uint8Array }} TransferRequest `body` of a POST
 * @typedef {(request: TransferRequest, outlet: Outlet, direction: Direction) => { abort(): void }} Send resolves the
 *   outlet with the whole answer; returns before that
 */

const CLOSE = 'close=1';
const COMPRESSED = 'A proxy compressed the answer, although the server forbids it (Cache-Control: no-transform).';
const NOT_NEW =
  'Expected a new connection, but the old one stayed open: over HTTP/2 and HTTP/3, and through most proxies, the server cannot close it.';

/** @param {TransferOptions} options `library`: jQuery, which needs a browser @returns {TransferMethod} */
export function createAjaxTransfer({ library: $, ...options }) {
  return createHttpTransfer('ajax', 'text', options, ({ method, url, body }, { resolve, reject }) =>
    $.ajax({
      url,
      method,
      data: body,
      processData: false,
      // This type needs no CORS preflight.
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
    // Binary data has no content type, so it needs no CORS preflight.
    const init = { method, body: /** @type {BodyInit | undefined} */ (body), signal: controller.signal };
    /** @param {Response} response @returns {Promise<string | ArrayBuffer>} */
    const read = (response) => (direction === 'up' ? response.text() : response.arrayBuffer());
    fetchAnswer(fetch, url, init, read).then(resolve, reject);
    return controller;
  });
}

/** @param {string} name @param {Form} form @param {TransferOptions} options @param {Send} start @returns {TransferMethod} */
function createHttpTransfer(
  name,
  form,
  { url: endpointUrl, now = () => performance.now(), performance = globalThis.performance },
  start,
) {
  const urlOf = (/** @type {Direction} */ direction) => `${endpointUrl}/${direction}`;
  /** @param {Message} message @param {{ signal?: AbortSignal, close?: string }} options @returns {Promise<Receipt>} */
  const send = (message, { signal, close }) =>
    abortable(signal, (resolve, reject) => {
      const { direction } = message;
      const startedAtMs = now();
      /** @param {string | ArrayBuffer} answer */
      const onAnswer = (answer) => resolve({ startedAtMs, endedAtMs: now(), answer });
      const request = start(requestOf(message, urlOf(direction), close), { resolve: onAnswer, reject }, direction);
      return () => request.abort();
    });
  return {
    name,
    form,
    async connect(direction) {
      const watched = watchConnection(performance, urlOf(direction));
      return Object.assign(watched, { send: checked(send, watched) });
    },

    async connectAnew(direction) {
      const empty = { direction, form, bytes: 0, offset: 0, binary: new Uint8Array(), text: '' };
      const watched = watchConnection(performance, urlOf(direction));
      return {
        get protocol() {
          return watched.protocol;
        },
        setUpMs: undefined,
        async send(message, { signal }) {
          const options = { signal, close: CLOSE };
          const setUpMs = await closeConnections(performance, urlOf(direction), () => send(empty, options));
          if (setUpMs === undefined) throw new ExchangeError('closed', NOT_NEW);
          return checked(send, watched)(message, options);
        },
        close() {},
      };
    },
  };
}

/**
 * @template {unknown[]} Args @param {(...args: Args) => Promise<Receipt>} send @param {{ requests?: RequestCounts }} watched
 * @returns {typeof send} which fails where a proxy compresses answers: their sizes are what is measured
 */
const checked =
  (send, watched) =>
  async (...args) => {
    const receipt = await send(...args);
    if (watched.requests?.compressedCount) throw new ExchangeError('mismatch', COMPRESSED);
    return receipt;
  };

/** @param {Message} message @param {string} url @param {string} [close] asks for the connection's end @returns {TransferRequest} */
function requestOf({ direction, bytes, offset, binary, text }, url, close) {
  const query = [direction === 'down' ? `bytes=${bytes}&offset=${offset}` : '', close].filter(Boolean).join('&');
  const address = query ? `${url}?${query}` : url;
  return direction === 'down'
    ? { method: 'GET', url: address }
    : { method: 'POST', url: address, body: text ?? binary };
}
