/** A WebSocket by itself. */
import { openWebSocket } from '../sockets.js';
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
    open: () => openWebSocket(WebSocket, url),
  });
}
