/** Server-Sent Events one way, POST the other: plain HTTP without long polling. */
import { ExchangeError } from '../exchange-error.js';
import { failureOf } from '../http.js';
import { OPEN } from '../sockets.js';
import { watchRequests } from './resource-timing.js';
import { createSocketTransport } from './socket-transport.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { Socket } from '../sockets.js'
 * @import { Transport } from './index.js'
 */

const CONNECTING = 0;
const CLOSED = 3;
/** Of WebSocket, for one that broke off. */
const ABNORMAL = 1006;

/**
 * @param {object} options
 * @param {{ EventSource: typeof globalThis.EventSource, fetch: typeof globalThis.fetch }} [options.library]
 * @param {string} options.url of the endpoint; each stream lies below it, by an id of its own
 * @param {Performance} [options.performance]
 * @param {Now} [options.now]
 * @returns {Transport}
 */
export function createSse({
  library = globalThis,
  url,
  performance = globalThis.performance,
  now = () => performance.now(),
}) {
  return createSocketTransport({
    name: 'sse',
    now,
    open: () => openSseSocket(library, `${url}/${createId()}`),
    protocolOf: ({ address }) => watchRequests(performance, address).protocol,
  });
}

/**
 * Dressed as the socket that it stands for.
 * @param {{ EventSource: typeof globalThis.EventSource, fetch: typeof globalThis.fetch }} library @param {string} address
 * @returns {Socket & { address: string }}
 */
function openSseSocket({ EventSource, fetch }, address) {
  const source = new EventSource(address);
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
    onopen: null,
    onmessage: null,
    onclose: null,
    onerror: null,
    send: (/** @type {string} */ text) => post(fetch, address, text).catch(({ message }) => end(message)),
    close: () => end(''),
  };
  source.onopen = () => {
    socket.readyState = OPEN;
    socket.onopen?.();
  };
  source.onmessage = (event) => socket.onmessage?.(event);
  // By itself it would connect again, and what was lost until then would stay unknown.
  source.onerror = () => end('The stream of events broke off.');
  return socket;
}

/**
 * @param {typeof globalThis.fetch} fetch
 * @param {string} address
 * @param {string} body
 * @throws {ExchangeError} where the server did not take it
 */
async function post(fetch, address, body) {
  const response = await fetch(address, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  }).catch(() => {
    // What browsers say of it is not for visitors.
    throw failureOf(0, undefined);
  });
  if (!response.ok) throw new ExchangeError('rejected', `The server answered ${response.status}.`);
}

function createId() {
  return Array.from({ length: 4 }, () => Math.random().toString(36).slice(2, 8).padEnd(6, '0')).join('');
}
