/** The carriers over a socket: one message and its answer. */
import { abortable } from '../../base/abortable.js';
import { openSockjs } from '../echo/open-sockjs.js';
import { ExchangeError } from '../exchange-error.js';
import { connectSocket, OPEN, openWebSocket, toClosed } from '../sockets.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { Socket } from '../sockets.js'
 * @import { Carrier, CarrierConnection, CarrierOptions, Direction, Form } from './index.js'
 * @import { Message } from './message.js'
 */

/**
 * @param {CarrierOptions & { form: Form }} options
 * @returns {Carrier} a WebSocket by itself, with messages of text or of bytes
 */
export function createWebsocketCarrier({ library: WebSocket = globalThis.WebSocket, origin, now, form }) {
  return createSocketCarrier({
    name: `websocket-${form}`,
    form,
    now,
    open(direction) {
      const socket = openWebSocket(WebSocket, `${origin}/payload/ws/${direction}`);
      // Blobs, which are what is usual, would have to be read first.
      socket.binaryType = 'arraybuffer';
      return socket;
    },
    binary: form === 'binary',
  });
}

/**
 * SockJS, as text, and over its WebSocket alone: its other transports take no message of 10 MB, and a fallback must not be
 * called what it is not. Beside WebSocket text this is what its framing costs: each message is JSON in JSON.
 *
 * @param {CarrierOptions} options
 * @returns {Carrier}
 */
export function createSockjsCarrier({ library: SockJS, origin, now }) {
  return createSocketCarrier({
    name: 'sockjs',
    form: 'text',
    now,
    open: (direction) =>
      openSockjs(SockJS, `${origin}/payload/sockjs?direction=${direction}`, { transports: 'websocket' }),
  });
}

/**
 * @param {object} options
 * @param {string} options.name
 * @param {Form} options.form
 * @param {(direction: Direction) => Socket} options.open begins to connect
 * @param {boolean} [options.binary] the form that is asked for, where there is a choice
 * @param {Now} [options.now]
 * @returns {Carrier}
 */
function createSocketCarrier({ name, form, open, binary, now = () => performance.now() }) {
  /** @param {Socket} socket @param {number} setUpMs */
  const use = (socket, setUpMs) => createConnection(socket, { setUpMs, binary, now });
  return {
    name,
    form,
    connect: (direction, { signal }) => connectSocket({ open: () => open(direction), use, now, signal }),
  };
}

/**
 * @param {Socket} socket an open one
 * @param {{ setUpMs: number, binary?: boolean, now: Now }} options
 * @returns {CarrierConnection}
 */
function createConnection(socket, { setUpMs, binary, now }) {
  let closed = new ExchangeError('closed', 'The connection was closed.');
  /** @type {((error: ExchangeError) => void) | undefined} */
  let giveUp;
  socket.onclose = (event) => {
    closed = toClosed(event);
    giveUp?.(closed);
  };

  return {
    // A SockJS says it of itself.
    protocol: socket.transport ?? 'websocket',
    setUpMs,
    send: (message, { signal }) =>
      abortable(signal, (resolve, reject) => {
        // What is sent to a socket that is not open is dropped without a word.
        if (socket.readyState !== OPEN) {
          reject(closed);
          return undefined;
        }
        giveUp = reject;
        let startedAtMs = 0;
        socket.onmessage = ({ data }) => resolve({ startedAtMs, endedAtMs: now(), answer: data });
        startedAtMs = now();
        socket.send(contentOf(message, binary));
        // Its answer could no longer be told from the next one's, and would be in that one's way.
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
