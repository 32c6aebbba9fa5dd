import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { createWaiter } from './waiter.js';

/** @import { Connection } from './burst.js' */

/**
 * How a text goes to and fro: `wrap` makes the frame of a text, `unwrap` the text of a frame.
 *
 * @typedef {{ path: () => string, greeting?: string, wrap: (text: string) => string, unwrap: (frame: string) => string }} Framing
 */

/** @type {Framing} */
const SOCKJS = {
  path: () => `/echo/000/${randomUUID()}/websocket`,
  greeting: 'o',
  wrap: (text) => JSON.stringify([text]),
  unwrap: (frame) => JSON.parse(frame.slice(1))[0],
};

/** @type {Framing} */
const PLAIN = { path: () => '/', wrap: (text) => text, unwrap: (frame) => frame };

/** @param {number} port */
export const openSockjs = (port) => open(port, SOCKJS);

/** @param {number} port */
export const openWs = (port) => open(port, PLAIN);

/** @param {number} port @param {Framing} framing @returns {Promise<Connection>} */
async function open(port, { path, greeting, wrap, unwrap }) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path()}`, { perMessageDeflate: false });
  // Both are waited for from the start: the greeting may come in the same packet as the handshake's answer.
  await Promise.all([once(socket, 'open'), greeting === undefined || expectFrame(socket, greeting)]);
  const waiter = createWaiter(socket);
  socket.on('message', (frame) => waiter.resolve(JSON.parse(unwrap(String(frame))).count));
  return {
    exchange(count) {
      socket.send(wrap(JSON.stringify({ count })));
      return waiter.next();
    },
    close: () => socket.terminate(),
  };
}

/** @param {WebSocket} socket @param {string} expected */
async function expectFrame(socket, expected) {
  const [frame] = await once(socket, 'message');
  if (String(frame) !== expected) throw new Error(`Greeting: expected '${expected}', got '${frame}'`);
}
