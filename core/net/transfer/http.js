/** The transfer methods by requests. */
import { abortable } from '../../base/async.js';
import { openHttp } from '../channel/http.js';
import { ExchangeError } from '../exchange-error.js';
import { closeConnections, watchConnection } from '../resource-timing.js';

/**
 * @import { RequestCounts } from '../echo/index.js'
 * @import { Request } from '../channel/http.js'
 * @import { Direction, MethodOptions, Receipt, TransferMethod } from './index.js'
 * @import { Message } from './content.js'
 */

const CLOSE = 'close=1';
const COMPRESSED = 'A proxy compressed the answer, although the server forbids it (Cache-Control: no-transform).';
const NOT_NEW =
  'Expected a new connection, but the old one stayed open: over HTTP/2 and HTTP/3, and through most proxies, the server cannot close it.';

/** @param {MethodOptions} options @returns {TransferMethod} @throws {RangeError} if its library reads no answers of its form */
export function createHttpTransfer({
  name,
  form,
  url: endpointUrl,
  libraryName,
  library,
  now = () => performance.now(),
  performance = globalThis.performance,
}) {
  const { text: askForText, [form]: askForMessage } = openHttp(libraryName, library);
  if (!askForMessage) throw new RangeError(`form: expected one that ${libraryName} reads, got ${form}`);
  const urlOf = (/** @type {Direction} */ direction) => `${endpointUrl}/${direction}`;
  /** @param {Message} message @param {{ signal?: AbortSignal, close?: string }} options @returns {Promise<Receipt>} */
  const send = (message, { signal, close }) =>
    abortable(signal, (resolve, reject) => {
      const { direction } = message;
      const startedAtMs = now();
      /** @param {string | ArrayBuffer} answer */
      const onAnswer = (answer) => resolve({ startedAtMs, endedAtMs: now(), answer });
      // A receipt is text.
      const ask = direction === 'up' ? askForText : askForMessage;
      const request = ask(requestOf(message, urlOf(direction), close), { resolve: onAnswer, reject });
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

/** @param {Message} message @param {string} url @param {string} [close] asks for the connection's end @returns {Request} */
function requestOf({ direction, bytes, offset, binary, form, text }, url, close) {
  const query = [direction === 'down' ? `bytes=${bytes}&offset=${offset}` : '', close].filter(Boolean).join('&');
  const address = query ? `${url}?${query}` : url;
  if (direction === 'down') return { url: address };
  // Neither this type nor none, as binary data has, needs a CORS preflight.
  const type = form === 'text' ? 'text/plain' : undefined;
  return { method: 'POST', url: address, type, body: text ?? binary };
}
