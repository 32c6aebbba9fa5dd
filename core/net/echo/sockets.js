/** The echoes over a socket: answers belong to the messages in their order, over every transport. */
import { createAbortListener } from '../../base/async.js';
import { createId } from '../../base/random.js';
import { ExchangeError, parseAnswer } from '../exchange-error.js';
import { failureOf } from '../http.js';
import { watchConnection } from '../resource-timing.js';
import {
  ABNORMAL,
  CLOSED,
  CONNECTING,
  connectSocket,
  construct,
  OPEN,
  openSockjs,
  openWebSocket,
  toClosed,
} from '../sockets.js';

/**
 * @import { Socket } from '../sockets.js'
 * @import { Connection, Transport } from './index.js'
 * @typedef {{ readonly protocol: string | undefined }} Named
 * @typedef {{ encode: (payload: object) => any, decode: (data: any) => any }} Codec of a library's messages; `decode` throws
 *   ExchangeErrors
 */

const JSONP = 'jsonp-polling';

/**
 * Creates a transport of a native WebSocket; its name tells whose library the server has.
 * @param {{ name: string, library?: new (url: string) => WebSocket, url: string }} options @returns {Transport}
 */
export function createWebsocket({ name, library: WebSocket = globalThis.WebSocket, url }) {
  return createSocketTransport({ name, open: () => openWebSocket(WebSocket, url) });
}

/**
 * Creates the transport of SockJS, over any transport that its client can use, or over `only` one; its `protocol` says
 * which. Its setup is `/info`, then the handshake, then SockJS's own open frame.
 * @param {{ library: typeof import('sockjs-client'), url: string, only?: string, timeoutMs?: number }} options `only`:
 *   by its name in the client; `timeoutMs`: the minimum for each @returns {Transport}
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
 * Closes after an answer, as a browser does not cancel a script that it waits for: a JSONP poll would occupy one of six
 * connections until the server's next heartbeat. An answer ends the poll, and there is time to close before the next
 * one.
 * @param {Socket} socket
 */
function closeAfterAnswer(socket) {
  if (socket.readyState !== OPEN) return;
  socket.onmessage = () => socket.close();
  socket.send('{"count":0}');
}

/**
 * @template {Socket & { setUpMs?: number, upgradeMs?: number }} S
 * @param {{ name: string, open: () => S, watch?: (socket: S) => Named, close?: (socket: S) => void, codec?: Codec,
 *   doesFallBack?: boolean }} options `open` begins to connect; `watch` gives an open socket's protocol, which may be
 *   known later; `codec`: JSON, if its messages are texts
 * @returns {Transport}
 */
export function createSocketTransport({ name, open, watch = nameProtocol, close, codec = JSON_TEXT, doesFallBack }) {
  /** @param {S} socket @param {number} openMs */
  const use = (socket, openMs) => {
    const end = () => (close ? close(socket) : socket.close());
    const { setUpMs = openMs, upgradeMs } = socket;
    return createConnection(socket, watch(socket), { codec, setUpMs, upgradeMs, close: end });
  };
  return {
    name,
    capabilities: { socket: true, doesFallBack },
    connect: ({ signal }) => connectSocket({ open, use, signal }),
  };
}

/**
 * Reads the name of the protocol at once, as SockJS drops it when it closes.
 * @param {Socket} socket @returns {Named}
 */
const nameProtocol = ({ transport = 'websocket' }) => ({ protocol: transport });

/** @type {Codec} */
const JSON_TEXT = { encode: JSON.stringify, decode: parseAnswer };

/**
 * @param {Socket} socket open @param {Named} named
 * @param {Omit<Connection, 'exchange' | 'protocol'> & { codec: Codec }} options
 */
function createConnection(socket, named, { codec: { encode, decode }, ...rest }) {
  /** @type {{ resolve: (answer: any) => void, reject: (error: unknown) => void }[]} */
  const waiting = [];
  // Aborted exchanges stay in the list: their answers may still come, and must not be mistaken for the next one's.
  const listen = createAbortListener((reason) => {
    for (const { reject } of waiting) reject(reason);
  });
  let closed = new ExchangeError('closed', 'The connection was closed.');

  socket.onmessage = ({ data }) => {
    const first = waiting.shift();
    try {
      first?.resolve(decode(data));
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
      return named.protocol;
    },
    /** @type {Connection['exchange']} */
    exchange: (payload, { signal }) =>
      new Promise((resolve, reject) => {
        listen(signal);
        // A socket that is not open drops messages silently.
        if (socket.readyState !== OPEN) throw closed;
        waiting.push({ resolve, reject });
        socket.send(encode(payload));
      }),
  };
}

/**
 * Creates a transport of server-sent events for answers, and POST for messages.
 * @param {{ url: string, performance?: Performance }} options @returns {Transport}
 */
export function createSse({ url, performance = globalThis.performance }) {
  return createSocketTransport({
    name: 'sse',
    open: () => openSseSocket(`${url}/${createId(24)}`),
    watch: ({ address }) => watchConnection(performance, address),
  });
}

/**
 * Opens an event stream with the interface of a socket.
 * @param {string} address @returns {Socket & { address: string }}
 */
function openSseSocket(address) {
  const source = construct(() => new globalThis.EventSource(address));
  /** @param {string} reason */
  const end = (reason) => {
    if (socket.readyState === CLOSED) return;
    socket.readyState = CLOSED;
    source.close();
    socket.onclose?.({ code: ABNORMAL, reason });
  };
  /** @type {any} */
  const socket = {
    address,
    readyState: CONNECTING,
    send: (/** @type {string} */ text) => post(address, text).catch(({ message }) => end(message)),
    close: () => end(''),
  };
  source.onopen = () => {
    socket.readyState = OPEN;
    socket.onopen?.();
  };
  source.onmessage = (event) => socket.onmessage?.(event);
  // EventSource would reconnect, and nobody would know what was lost until then.
  source.onerror = () => end('The event stream was interrupted.');
  return socket;
}

/** @param {string} address @param {string} body @throws {ExchangeError} where the server did not take it */
async function post(address, body) {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(address, { method: 'POST', headers, body }).catch(() => {
    // The browser's message is not for visitors.
    throw failureOf(0);
  });
  if (!response.ok) throw failureOf(response.status);
}
