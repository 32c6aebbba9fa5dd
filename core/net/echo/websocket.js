/** A WebSocket by itself. */
import { createSocketTransport } from './socket-transport.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { Transport } from './index.js'
 */

/**
 * @param {object} options
 * @param {new (url: string) => WebSocket} [options.library]
 * @param {string} options.url of the echo endpoint, http(s) as for the other transports
 * @param {Now} [options.now]
 * @returns {Transport}
 */
export function createWebsocket({ library: WebSocket = globalThis.WebSocket, url, now = () => performance.now() }) {
  return createSocketTransport({
    name: 'websocket',
    now,
    // Not all browsers take an http URL yet: https://developer.mozilla.org/docs/Web/API/WebSocket/WebSocket#url
    open: () => new WebSocket(url.replace(/^http/, 'ws')),
    protocolOf: () => () => 'websocket',
  });
}
