/** The transfer methods over a socket: one message at a time. */
import { abortable } from '../../base/async.js';
import { ExchangeError } from '../exchange-error.js';
import { connectSocket, OPEN, openSockjs, openWebSocket, toClosed } from '../sockets.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { Socket } from '../sockets.js'
 * @import { TransferMethod, TransferConnection, TransferOptions, Direction, Form } from './index.js'
 * @import { Message } from './content.js'
 */

/** @param {TransferOptions} options @param {Form} form of its messages @returns {TransferMethod} */
export function createWebsocketTransfer({ library: WebSocket = globalThis.WebSocket, url, now }, form) {
  return createSocketTransfer({
    name: `websocket-${form}`,
    form,
    now,
    open(direction) {
      const socket = openWebSocket(WebSocket, `${url}/${direction}`);
      // Blobs, the default, would have to be read first.
      socket.binaryType = 'arraybuffer';
      return socket;
    },
    binary: form === 'binary',
  });
}

/**
 * Creates the transfer method of SockJS, only over WebSocket: its other transports cannot send 10 MB, and a fallback
 * must not be mistaken for it.
 * @param {TransferOptions} options @returns {TransferMethod}
 */
export function createSockjsTransfer({ library: SockJS, url, now }) {
  return createSocketTransfer({
    name: 'sockjs',
    form: 'text',
    now,
    open: (direction) => openSockjs(SockJS, `${url}?direction=${direction}`, { transports: 'websocket' }),
  });
}

/**
 * Creates a transfer method over a socket. `binary`: the form to request, if there is a choice.
 * @param {{ name: string, form: Form, open: (direction: Direction) => Socket, binary?: boolean, now?: Now }} options
 * @returns {TransferMethod}
 */
export function createSocketTransfer({ name, form, open, binary, now = () => performance.now() }) {
  /** @param {Socket} socket @param {number} setUpMs */
  const use = (socket, setUpMs) => createConnection(socket, { setUpMs, binary, now });
  /** @type {TransferMethod['connect']} */
  const connect = (direction, { signal }) => connectSocket({ open: () => open(direction), use, now, signal });
  return {
    name,
    form,
    connect,
    connectAnew: async (direction) => ({
      protocol: 'websocket',
      setUpMs: undefined,
      async send(message, options) {
        const startedAtMs = now();
        const connection = await connect(direction, options);
        try {
          return { ...(await connection.send(message, options)), startedAtMs };
        } finally {
          connection.close();
        }
      },
      close() {},
    }),
  };
}

/** @param {Socket} socket open @param {{ setUpMs: number, binary?: boolean, now: Now }} options @returns {TransferConnection} */
function createConnection(socket, { setUpMs, binary, now }) {
  let closed = new ExchangeError('closed', 'The connection was closed.');
  /** @type {((error: ExchangeError) => void) | undefined} */
  let giveUp;
  socket.onclose = (event) => {
    closed = toClosed(event);
    giveUp?.(closed);
  };

  return {
    protocol: socket.transport ?? 'websocket',
    setUpMs,
    send: (message, { signal }) =>
      abortable(signal, (resolve, reject) => {
        // A socket that is not open drops messages silently.
        if (socket.readyState !== OPEN) throw closed;
        giveUp = reject;
        let startedAtMs = 0;
        socket.onmessage = ({ data }) => resolve({ startedAtMs, endedAtMs: now(), answer: data });
        startedAtMs = now();
        socket.send(contentOf(message, binary));
        // A late answer could be mistaken for the next one's.
        return () => socket.close();
      }),
    close: () => socket.close(),
  };
}

/** @param {Message} message @param {boolean} [binary] */
function contentOf({ direction, bytes, offset, text, binary: content }, binary) {
  if (direction === 'down') return JSON.stringify({ bytes, offset, binary });
  return text ?? /** @type {Uint8Array<ArrayBuffer>} */ (content);
}
