/** A WebSocket by itself, with messages of text or of bytes. */
import { createSocketCarrier } from './socket-carrier.js';

/** @import { Carrier, CarrierOptions, Form } from './index.js' */

/** @param {CarrierOptions & { form: Form }} options @returns {Carrier} */
export function createWebsocketCarrier({
  library: WebSocket = globalThis.WebSocket,
  origin,
  now = () => performance.now(),
  form,
}) {
  return createSocketCarrier({
    name: `websocket-${form}`,
    form,
    now,
    open(direction) {
      // Not all browsers take an http URL yet: https://developer.mozilla.org/docs/Web/API/WebSocket/WebSocket#url
      const socket = new WebSocket(`${origin.replace(/^http/, 'ws')}/payload/ws/${direction}`);
      // Blobs, which are what is usual, would have to be read first.
      socket.binaryType = 'arraybuffer';
      return socket;
    },
    protocolOf: () => 'websocket',
    askFor: ({ bytes, offset }) => ({ bytes, offset, binary: form === 'binary' }),
  });
}
