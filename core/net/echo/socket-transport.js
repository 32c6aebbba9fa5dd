/** What all echoes over a socket have in common: answers that belong to the messages in their order. */
import { createAbortListener } from '../../base/async.js';
import { ExchangeError, parseAnswer } from '../exchange-error.js';
import { connectSocket, OPEN, toClosed } from '../sockets.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { Socket } from '../sockets.js'
 * @import { Connection, Transport } from './index.js'
 */

/**
 * @template {Socket} S
 * @param {object} options
 * @param {string} options.name
 * @param {() => S} options.open begins to connect
 * @param {(socket: S) => () => string | undefined} [options.protocolOf] an open socket, which otherwise is a WebSocket or a
 *   SockJS; what it gives is asked later, when more may be known
 * @param {(socket: S) => void} [options.close] an open socket, where there is more to it
 * @param {boolean} [options.doesFallBack] does connecting try one transport after the other?
 * @param {Now} options.now
 * @returns {Transport}
 */
export function createSocketTransport({ name, open, protocolOf = nameProtocol, close, doesFallBack, now }) {
  /** @param {S} socket @param {number} setUpMs */
  const use = (socket, setUpMs) => {
    const end = () => (close ? close(socket) : socket.close());
    return createConnection(socket, { protocol: protocolOf(socket), setUpMs, end });
  };
  return {
    name,
    capabilities: { socket: true, doesFallBack },
    connect: ({ signal }) => connectSocket({ open, use, now, signal }),
  };
}

/** SockJS forgets the name when it closes. @param {Socket} socket */
function nameProtocol({ transport = 'websocket' }) {
  return () => transport;
}

/**
 * @param {Socket} socket an open one
 * @param {{ protocol: () => string | undefined, setUpMs: number, end: () => void }} options
 * @returns {Connection}
 */
function createConnection(socket, { protocol, setUpMs, end }) {
  /** @type {{ resolve: (answer: any) => void, reject: (error: unknown) => void }[]} */
  const waiting = [];
  // Those that are given up stay in the list: their answers may still come, and must not be taken for the next one's.
  const listen = createAbortListener((reason) => {
    for (const { reject } of waiting) reject(reason);
  });
  let closed = new ExchangeError('closed', 'The connection was closed.');

  // Answers come in the order of the messages, whatever carries them.
  socket.onmessage = ({ data }) => {
    const first = waiting.shift();
    try {
      first?.resolve(parseAnswer(data));
    } catch (error) {
      first?.reject(error);
    }
  };
  socket.onclose = (event) => {
    closed = toClosed(event);
    for (const { reject } of waiting.splice(0)) reject(closed);
  };

  return {
    get protocol() {
      return protocol();
    },
    setUpMs,
    exchange: (payload, { signal }) =>
      new Promise((resolve, reject) => {
        listen(signal);
        // What is sent to a socket that is not open is dropped without a word.
        if (socket.readyState !== OPEN) throw closed;
        waiting.push({ resolve, reject });
        socket.send(JSON.stringify(payload));
      }),
    close: end,
  };
}
