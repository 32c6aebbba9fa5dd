/**
 * SockJS, over whatever transport its client gets: `protocol` says which, a fallback is never called WebSocket.
 */
import { createSocketTransport } from './socket-transport.js';

/**
 * By itself sockjs-client gives WebSocket 0.6 to 0.8 s and then falls back in silence; at a distance, or on a busy
 * machine, that would measure another transport than the network allows.
 */
const TRANSPORT_LIMIT_MS = 5000;

/**
 * Its set-up is `/info`, then the handshake, then SockJS's own open frame.
 *
 * @param {object} options
 * @param {typeof import('sockjs-client')} options.library
 * @param {string} options.url of the echo endpoint
 * @param {import('../clock.js').Now} [options.now]
 * @returns {import('./index.js').Transport}
 */
export function createSockjs({ library: SockJS, url, now = () => performance.now() }) {
  return createSocketTransport({
    name: 'sockjs',
    now,
    open: () => new SockJS(url, null, { timeout: TRANSPORT_LIMIT_MS }),
    protocolOf: (/** @type {WebSocket & { transport?: string }} */ { transport }) => transport,
  });
}
