/** Opens sockets and watches for their end, in the same manner for echo, jobs and payload, and for every library. */
import { abortable, sleep } from '../base/async.js';
import { ExchangeError } from './exchange-error.js';
import { reachServer } from './http.js';

/** The `readyState` of a socket, the same in every library: https://websockets.spec.whatwg.org/#dom-websocket-readystate */
export const CONNECTING = 0;
export const OPEN = 1;
export const CLOSED = 3;
/** The close code of a WebSocket that was interrupted. */
export const ABNORMAL = 1006;
/** The codes with which a page closes a socket before it is open. */
export const CLOSE_GONE = 4001;
export const CLOSE_SILENT = 4002;

/**
 * The limit of each transport: the default of sockjs-client for WebSocket is 0.6 to 0.8 s, then it falls back silently.
 */
const SOCKJS_TRANSPORT_LIMIT_MS = 5000;
/** This is longer than a normal connection setup, so that the server is not asked during one. */
const ASK_EVERY_MS = 500;

/**
 * @import { Now } from '../base/clock.js'
 * @typedef {Pick<WebSocket, 'readyState' | 'onopen' | 'onmessage' | 'onclose' | 'onerror' | 'send' | 'close'> & {
 *   transport?: string }} Socket what a WebSocket and a SockJS have both; a SockJS says its `transport` while it is open
 */

/**
 * Begins to connect.
 * @param {new (url: string) => WebSocket} WebSocket @param {string} url http(s) @throws {ExchangeError} where it is forbidden
 */
export function openWebSocket(WebSocket, url) {
  // Not all browsers take an http URL yet: https://developer.mozilla.org/docs/Web/API/WebSocket/WebSocket#url
  return construct(() => new WebSocket(url.replace(/^http/, 'ws')));
}

/**
 * Creates a browser's connection. Some browsers throw where others report an error: for a blocked port, or for a URL that a
 * policy forbids.
 * @template T @param {() => T} create @returns {T} @throws {ExchangeError}
 */
export function construct(create) {
  try {
    return create();
  } catch (error) {
    // Firefox throws what is neither an Error nor a DOMException.
    const { message } = /** @type {{ message: string }} */ (error);
    throw new ExchangeError('closed', `The connection could not be opened: ${message}`);
  }
}

/**
 * Begins to connect. If the server is gone, the library tries each of its transports for seconds; so the server is
 * asked at the same time, and the socket closes if it does not answer.
 * @param {typeof import('sockjs-client')} SockJS @param {string} url
 * @param {{ transports?: string, timeoutMs?: number }} [options] by their names in the client; the minimum for
 *   each, 0 for its default @returns {WebSocket & { transport?: string }}
 */
export function openSockjs(SockJS, url, { transports, timeoutMs = SOCKJS_TRANSPORT_LIMIT_MS } = {}) {
  const socket = new SockJS(url, null, { timeout: timeoutMs, ...(transports && { transports }) });
  const settled = new AbortController();
  for (const name of ['open', 'close', 'error']) socket.addEventListener(name, () => settled.abort());
  watchServer(url, settled.signal).catch((error) => {
    if (!(error instanceof ExchangeError)) throw error;
    socket.close(error.outcome === 'timeout' ? CLOSE_SILENT : CLOSE_GONE, 'The server does not answer');
  });
  return socket;
}

/** @param {string} url of an endpoint, which may have a query @param {AbortSignal} signal that ends it */
async function watchServer(url, signal) {
  const info = new URL(url);
  info.pathname += '/info';
  for (;;) {
    await sleep(ASK_EVERY_MS, { signal });
    if (signal.aborted) return;
    await reachServer(fetch, info.href, signal);
  }
}

/**
 * Connects a socket. The setup ends when messages may be sent.
 * @template {Socket} S @template C
 * @param {{ open: () => S, use: (socket: S, setUpMs: number) => C, now?: Now, signal?: AbortSignal }} options `open`
 *   begins to connect; `use` makes a connection of the open socket
 * @returns {Promise<C>} rejects with an ExchangeError, or with the signal's reason
 */
export function connectSocket({ open, use, now = () => performance.now(), signal }) {
  return abortable(signal, (resolve, reject) => {
    const startedAtMs = now();
    const socket = open();
    watchSocket(socket, { onOpen: () => resolve(use(socket, now() - startedAtMs)), onEnd: reject });
    return () => socket.close();
  });
}

/**
 * Watches a socket; `onEnd` may be called twice.
 * @param {Socket} socket @param {{ onOpen(): void, onEnd(reason: ExchangeError): void }} on
 */
export function watchSocket(socket, { onOpen, onEnd }) {
  let wasOpen = false;
  socket.onopen = () => {
    wasOpen = true;
    onOpen();
  };
  socket.onclose = (event) => onEnd(toClosed(event));
  // If a policy forbids the URL, Chromium reports an error but no close, and in Node.js ws throws an error that nobody
  // listens to. Once the socket is open, a close follows each error and has all the information.
  socket.onerror = () => {
    if (!wasOpen) onEnd(new ExchangeError('closed', 'The connection could not be opened.'));
  };
}

/** @param {{ code?: number, reason: string }} event without a code if the library tells none @returns {ExchangeError} */
export function toClosed({ code, reason }) {
  if (code === CLOSE_SILENT) return new ExchangeError('timeout', `${reason}.`);
  const withCode = code === undefined ? '' : ` with code ${code}`;
  return new ExchangeError('closed', `The socket closed${withCode}${reason && ` (${reason})`}.`);
}
