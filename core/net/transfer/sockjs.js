/**
 * SockJS, as text, and over its WebSocket alone: its other transports take no message of 10 MB, and a fallback must not be
 * called what it is not. Beside WebSocket text this is what its framing costs: each message is JSON in JSON.
 */
import { openSockjs } from '../echo/open-sockjs.js';
import { createSocketCarrier } from './socket-carrier.js';

/**
 * @import { SockJSSocket } from '../echo/sockjs.js'
 * @import { Carrier, CarrierOptions } from './index.js'
 */

/** @param {CarrierOptions} options @returns {Carrier} */
export function createSockjsCarrier({ library: SockJS, origin, now = () => performance.now() }) {
  return createSocketCarrier({
    name: 'sockjs',
    form: 'text',
    now,
    open: (direction) =>
      openSockjs(SockJS, `${origin}/payload/sockjs?direction=${direction}`, { transports: 'websocket' }),
    protocolOf: (/** @type {SockJSSocket} */ { transport }) => transport,
    askFor: ({ bytes, offset }) => ({ bytes, offset }),
  });
}
