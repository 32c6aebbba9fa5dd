/**
 * The transfer methods that the payload experiment compares, by name; each has endpoints of its own. All are timed from
 * the call that sends until the page has the whole answer. Creating the message and checking the answer are not timed.
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
 * @typedef {{ library?: any, now?: Now, performance?: Performance }} TransferOptions `library` of its row, where the platform
 *   has none
 * @typedef {TransferOptions & { url: string, libraryName: string } & Pick<TransferRow, 'name' | 'kind' | 'form' | 'directionIn' |
 *   'only'>} MethodOptions `url` of its endpoint, http(s)
 * @typedef {object} TransferRow
 * @property {string} name in links, documents and style sheets, where `--NAME` is its colour
 * @property {string} label for people; pages call transfer methods transports
 * @property {string} endpoint the path on the server that it connects to, below /payload
 * @property {string} kind of connection, as the rows of core/net/echo/index.js have it, and with it:
 * @property {string} [sessionPath]
 * @property {string} library
 * @property {readonly string[]} protocols
 * @property {boolean} isSocket
 * @property {Form} form
 * @property {'query'} [directionIn] where its URL has the direction; absent: at the end of the path
 * @property {string} [only] one of the library's own transports
 * @property {readonly Platform[]} [defaultOn] as the rows of core/net/echo/index.js have it
 * @property {boolean} [needsDocument] as the rows of core/net/echo/index.js have it
 * @property {{ bytes: number, reason: string }} [sendLimit] the largest message that its library's server takes, with the
 *   library's defaults; absent where there is no such limit
 * @property {string} [transport] of core/net/echo/index.js that sends in the same way, if it has another name
 * @property {boolean} [opensAnew] is it compared with itself over a new connection for each message?
 */
import { over, withEachKind } from '../channel/index.js';
import { WEBSOCKET } from '../protocols.js';
import { byName } from '../rows.js';
import { createHttpTransfer } from './http.js';
import { createSocketTransfer } from './sockets.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { Platform } from '../echo/index.js'
 * @import { Message } from './content.js'
 */

const BY_HTTP = { ...over('http', 'payload'), opensAnew: true };
const BY_WEBSOCKET = { ...over('websocket', 'payload'), opensAnew: true, defaultOn: ['page', 'node'] };
/**
 * Only over WebSocket: other transports cannot send 10 MB, and a fallback must not be mistaken for it.
 */
const ONLY_WEBSOCKET = { form: 'text', only: 'websocket', protocols: WEBSOCKET, directionIn: 'query' };

/** The transfer methods, in the order of tables and plans. WebSocket has two, as text and binary data differ. */
export const transfers = withEachKind(
  'payload',
  /** @type {TransferRow[]} */ ([
    {
      ...BY_HTTP,
      name: 'ajax',
      label: 'AJAX',
      library: 'jquery',
      form: 'text',
      needsDocument: true,
      defaultOn: ['page'],
    },
    { ...BY_HTTP, name: 'fetch', label: 'fetch', form: 'binary', defaultOn: ['page', 'node'] },
    {
      ...BY_WEBSOCKET,
      name: 'websocket-text',
      label: 'WebSocket text',
      form: 'text',
      transport: 'ws',
    },
    {
      ...BY_WEBSOCKET,
      name: 'websocket-binary',
      label: 'WebSocket binary',
      form: 'binary',
    },
    {
      ...over('sockjs', 'payload'),
      ...ONLY_WEBSOCKET,
      name: 'sockjs',
      label: 'SockJS',
      defaultOn: ['page', 'node'],
    },
    {
      ...over('socketio', 'payload'),
      ...ONLY_WEBSOCKET,
      name: 'socketio',
      label: 'Socket.IO',
      // The packet `42["message","..."]` counts, too.
      sendLimit: {
        bytes: 1_000_000 - 16,
        reason: 'By default, its server takes at most 1 MB per message (maxHttpBufferSize).',
      },
    },
  ]),
  /** @returns {TransferRow} */
  (row, { carries }) => ({ ...row, form: carries.includes('binary') ? 'binary' : 'text', directionIn: 'query' }),
);

/** The transfer method that sends as a transport does. @param {string} transport @returns {TransferRow} */
export const transferOf = (transport) =>
  transfers[transport] ?? Object.values(transfers).find((row) => row.transport === transport);

/** @param {string} transfer @returns {string} its name over a new connection for each message */
export const newNameOf = (transfer) => `${transfer}-new`;

/** The transfer methods that can be measured over a new connection for each message, by their names there. */
export const newTransfers = byName(
  Object.values(transfers)
    .filter(({ opensAnew }) => opensAnew)
    .map((row) => ({ ...row, name: newNameOf(row.name), label: `${row.label}, new connection per message` })),
);

/**
 * @param {string} name of a row of {@link transfers}
 * @param {TransferOptions & { baseUrl: string }} options `baseUrl` of the server, http(s)
 * @returns {TransferMethod}
 */
export function createTransfer(name, { baseUrl, ...options }) {
  const { kind, library: libraryName, isSocket, form, endpoint, directionIn, only } = transfers[name];
  const create = isSocket ? createSocketTransfer : createHttpTransfer;
  return create({ ...options, name, kind, libraryName, form, directionIn, only, url: baseUrl + endpoint });
}
