/** The echoes over a socket: answers belong to the messages in their order, whatever carries them. */
import { createAbortListener } from '../../base/async.js';
import { ExchangeError, parseAnswer } from '../exchange-error.js';
import { connectSocket, OPEN, openSockjs, openWebSocket, toClosed } from '../sockets.js';

/**
 * @import { Socket } from '../sockets.js'
 * @import { Connection, Transport } from './index.js'
 */

const JSONP = 'jsonp-polling';

/** A WebSocket by itself. @param {{ library?: new (url: string) => WebSocket, url: string }} options @returns {Transport} */
export function createWebsocket({ library: WebSocket = globalThis.WebSocket, url }) {
  return createSocketTransport({ name: 'websocket', open: () => openWebSocket(WebSocket, url) });
}

/**
 * SockJS, over whatever transport its client gets, or over the one that is given: `protocol` says which, a fallback is never
 * called WebSocket. Its set-up is `/info`, then the handshake, then SockJS's own open frame.
 * @param {{ library: typeof import('sockjs-client'), url: string, only?: string, timeoutMs?: number }} options
 *   `only`: which of SockJS's own transports it may use, by its client's names; `timeoutMs`: the least that it gives each
 * @returns {Transport}
 */
export function createSockjs({ library: SockJS, url, only, timeoutMs }) {
  return createSocketTransport({
    name: only ? `sockjs-${only}` : 'sockjs',
    doesFallBack: !only,
    open: () => openSockjs(SockJS, url, { transports: only, timeoutMs }),
    close: (socket) => (socket.transport === JSONP ? closeAfterAnswer(socket) : socket.close()),
  });
}

/**
 * A browser does not give up a script that it waits for. So a JSONP poll would keep one of the page's six connections
 * until the server's next heartbeat, at the cost of whatever is measured next. An answer ends the poll, and before the
 * next one begins there is time to close.
 * @param {Socket} socket
 */
function closeAfterAnswer(socket) {
  if (socket.readyState !== OPEN) return;
  socket.onmessage = () => socket.close();
  socket.send('{"count":0}');
}

/** SockJS forgets the name when it closes. @param {Socket} socket */
function nameProtocol({ transport = 'websocket' }) {
  return () => transport;
}

/**
 * @template {Socket} S
 * @param {{ name: string, open: () => S, protocolOf?: (socket: S) => () => string | undefined, close?: (socket: S) => void,
 *   doesFallBack?: boolean }} options `open` begins to connect; `protocolOf` an open socket, which otherwise is a WebSocket or
 *   a SockJS, gives what is asked later, when more may be known; `close` where there is more to it
 * @returns {Transport}
 */
export function createSocketTransport({ name, open, protocolOf = nameProtocol, close, doesFallBack }) {
  /** @param {S} socket @param {number} setUpMs */
  const use = (socket, setUpMs) => {
    const end = () => (close ? close(socket) : socket.close());
    return createConnection(socket, protocolOf(socket), { setUpMs, close: end });
  };
  return {
    name,
    capabilities: { socket: true, doesFallBack },
    connect: ({ signal }) => connectSocket({ open, use, signal }),
  };
}

/** @param {Socket} socket open @param {() => string | undefined} protocol @param {Omit<Connection, 'exchange' | 'protocol'>} rest */
function createConnection(socket, protocol, rest) {
  /** @type {{ resolve: (answer: any) => void, reject: (error: unknown) => void }[]} */
  const waiting = [];
  // Those that are given up stay in the list: their answers may still come, and must not be taken for the next one's.
  const listen = createAbortListener((reason) => {
    for (const { reject } of waiting) reject(reason);
  });
  let closed = new ExchangeError('closed', 'The connection was closed.');

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
    ...rest,
    get protocol() {
      return protocol();
    },
    /** @type {Connection['exchange']} */
    exchange: (payload, { signal }) =>
      new Promise((resolve, reject) => {
        listen(signal);
        // What is sent to a socket that is not open is dropped without a word.
        if (socket.readyState !== OPEN) throw closed;
        waiting.push({ resolve, reject });
        socket.send(JSON.stringify(payload));
      }),
  };
}
