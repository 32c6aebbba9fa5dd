/**
 * The transfer methods that the payload experiment compares, by name; each has endpoints of its own. Timed is, for all:
 * from the call that sends until the page has the whole answer. Not timed: creating the message, checking the answer.
 * @typedef {'up' | 'down' | 'echo'} Direction up: the message goes to the server, which answers with its length and
 *   CRC-32; down: the server sends it on request; echo: the server sends it back
 * @typedef {'text' | 'binary'} Form of the message in the page
 * @typedef {{ startedAtMs: number, endedAtMs: number, answer: string | ArrayBuffer }} Receipt of a message: the clock
 *   just before the sending call and when the whole answer had arrived, and that, not checked yet
 * @typedef {object} TransferConnection for one message at a time, in one direction
 * @property {string | undefined} protocol as negotiated; absent until it is known
 * @property {number | undefined} setUpMs absent where no connection was opened, or none yet
 * @property {(message: Message, options: { signal?: AbortSignal }) => Promise<Receipt>} send rejects with an
 *   ExchangeError, at once when the signal aborts, which closes a socket
 * @property {() => void} close may be called at any time, and again
 * @typedef {object} TransferMethod
 * @property {string} name
 * @property {Form} form
 * @property {(direction: Direction, options: { signal?: AbortSignal }) => Promise<TransferConnection>} connect as send
 * @property {TransferMethod['connect']} [connectAnew] opens a new connection for each message, within its time
 * @typedef {{ library?: any, origin: string, now?: Now, performance?: Performance }} TransferOptions `library`: jQuery, fetch,
 *   WebSocket or SockJS, where the platform has none; `origin` of the server, http(s)
 */
import { createAjaxTransfer, createFetchTransfer } from './http.js';
import { createSockjsTransfer, createWebsocketTransfer } from './sockets.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { Message } from './content.js'
 */

/** @type {Readonly<Record<string, (options: TransferOptions) => TransferMethod>>} */
export const transfers = Object.freeze({
  ajax: createAjaxTransfer,
  fetch: createFetchTransfer,
  'websocket-text': (options) => createWebsocketTransfer(options, 'text'),
  'websocket-binary': (options) => createWebsocketTransfer(options, 'binary'),
  sockjs: createSockjsTransfer,
});
