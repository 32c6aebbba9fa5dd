/** The kind of SockJS, over any transport that its client can use, or over one. */
import { sleep } from '../../base/async.js';
import { ExchangeError } from '../exchange-error.js';
import { reachServer } from '../http.js';
import { SOCKJS } from '../protocols.js';
import { CLOSE_GONE, CLOSE_SILENT, OPEN } from './channel.js';

/**
 * @import { Socket } from './channel.js'
 * @import { Kind } from './index.js'
 */

/** @type {Kind} */
export const sockjs = {
  name: 'sockjs',
  label: 'SockJS',
  paths: { echo: '/echo', payload: '/payload/sockjs', jobs: '/jobs', feed: '/feeds', stream: '/pieces/sockjs' },
  library: 'sockjs-client',
  protocols: SOCKJS,
  isSocket: true,
  sessionPath: '/:server/:session',
  carries: ['text'],
};

/**
 * The limit of each transport: the default of sockjs-client for WebSocket is 0.6 to 0.8 s, then it falls back silently.
 */
const SOCKJS_TRANSPORT_LIMIT_MS = 5000;
/** This is longer than a normal connection setup, so that the server is not asked during one. */
const ASK_EVERY_MS = 500;
const JSONP = 'jsonp-polling';

/**
 * Begins to connect: `/info`, then the handshake, then SockJS's own open frame. If the server is gone, the library tries each
 * of its transports for seconds; so the server is asked at the same time, and the socket closes if it does not answer.
 * @param {typeof import('sockjs-client')} SockJS @param {string} url
 * @param {{ only?: string, timeoutMs?: number, lastMessage?: string }} [options] `only`: one of its transports, by its name in
 *   the client; `timeoutMs`: the minimum for each, 0 for the client's default; `lastMessage`: what the server answers, and what
 *   ends a poll of JSONP
 * @returns {Socket}
 */
export function openSockjs(SockJS, url, { only, timeoutMs = SOCKJS_TRANSPORT_LIMIT_MS, lastMessage } = {}) {
  const socket = new SockJS(url, null, { timeout: timeoutMs, ...(only && { transports: only }) });
  const settled = new AbortController();
  for (const name of ['open', 'close', 'error']) socket.addEventListener(name, () => settled.abort());
  watchServer(url, settled.signal).catch((error) => {
    if (!(error instanceof ExchangeError)) throw error;
    socket.close(error.outcome === 'timeout' ? CLOSE_SILENT : CLOSE_GONE, 'The server does not answer');
  });
  if (lastMessage !== undefined) closeAfterAnswer(socket, lastMessage);
  return socket;
}

/**
 * Makes a socket close after an answer, as a browser does not cancel a script that it waits for: a JSONP poll would occupy one
 * of six connections until the server's next heartbeat. An answer ends the poll, and there is time to close before the next
 * one.
 * @param {Socket} socket @param {string} lastMessage
 */
function closeAfterAnswer(socket, lastMessage) {
  const close = socket.close.bind(socket);
  socket.close = (...why) => {
    if (socket.transport !== JSONP || socket.readyState !== OPEN) return close(...why);
    socket.onmessage = () => close();
    socket.send(lastMessage);
  };
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
