/**
 * SockJS, over whatever transport its client gets, or over the one that is given: `protocol` says which, a fallback is never
 * called WebSocket.
 */
import { openSockjs } from './open-sockjs.js';
import { OPEN } from '../sockets.js';
import { createSocketTransport } from './socket-transport.js';

/**
 * @import { Now } from '../../base/clock.js'
 * @import { Socket } from '../sockets.js'
 * @import { Transport } from './index.js'
 */

const JSONP = 'jsonp-polling';

/**
 * Its set-up is `/info`, then the handshake, then SockJS's own open frame.
 *
 * @param {object} options
 * @param {typeof import('sockjs-client')} options.library
 * @param {string} options.url of the echo endpoint
 * @param {string} [options.only] which of SockJS's own transports it may use, by its client's name for it
 * @param {Now} [options.now]
 * @returns {Transport}
 */
export function createSockjs({ library: SockJS, url, only, now = () => performance.now() }) {
  return createSocketTransport({
    name: only ? `sockjs-${only}` : 'sockjs',
    now,
    doesFallBack: !only,
    open: () => openSockjs(SockJS, url, { transports: only }),
    close(socket) {
      if (socket.transport === JSONP) closeAfterAnswer(socket);
      else socket.close();
    },
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
