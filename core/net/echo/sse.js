/** Server-Sent Events one way, POST the other: plain HTTP without long polling. */
import { failureOf } from '../http.js';
import { watchRequests } from '../resource-timing.js';
import { OPEN } from '../sockets.js';
import { createSocketTransport } from './sockets.js';

/**
 * @import { Socket } from '../sockets.js'
 * @import { Transport } from './index.js'
 */

const CONNECTING = 0;
const CLOSED = 3;
/** Of WebSocket, for one that broke off. */
const ABNORMAL = 1006;

/**
 * @param {{ url: string, performance?: Performance }} options `url` of the endpoint; each stream lies below it, by an
 *   id of its own @returns {Transport}
 */
export function createSse({ url, performance = globalThis.performance }) {
  return createSocketTransport({
    name: 'sse',
    open: () => openSseSocket(`${url}/${createId()}`),
    protocolOf: ({ address }) => watchRequests(performance, address).protocol,
  });
}

/** Dressed as the socket that it stands for. @param {string} address @returns {Socket & { address: string }} */
function openSseSocket(address) {
  const source = new globalThis.EventSource(address);
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
  // By itself it would connect again, and what was lost until then would stay unknown.
  source.onerror = () => end('The stream of events broke off.');
  return socket;
}

/** @param {string} address @param {string} body @throws {ExchangeError} where the server did not take it */
async function post(address, body) {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(address, { method: 'POST', headers, body }).catch(() => {
    // What browsers say of it is not for visitors.
    throw failureOf(0);
  });
  if (!response.ok) throw failureOf(response.status);
}

const createId = () => Array.from({ length: 4 }, () => Math.random().toString(36).slice(2, 8).padEnd(6, '0')).join('');
