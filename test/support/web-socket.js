import { WebSocket } from 'ws';
import { createInbox } from './inbox.js';

/**
 * @import { ClientOptions } from 'ws'
 * @import { Inbox } from './inbox.js'
 */

/**
 * A raw WebSocket with a `next()` for its messages and a `closed` for its end.
 *
 * @param {string} url
 * @param {ClientOptions} [options]
 */
export async function openWebSocket(url, options) {
  const socket = new WebSocket(url, { perMessageDeflate: false, ...options });
  /** @type {Inbox<string>} */
  const messages = createInbox();
  socket.on('message', (message) => messages.put(message.toString()));
  /** @type {Promise<{ code: number, reason: string }>} */
  const closed = new Promise((resolve) => {
    socket.on('close', (code, reason) => {
      resolve({ code, reason: reason.toString() });
      // Nobody waits for ever for what did not come before the end.
      messages.end(new Error(`The socket was closed with ${code}`));
    });
  });
  await new Promise((resolve, reject) => {
    socket.on('open', resolve);
    socket.on('error', reject);
    socket.on('unexpected-response', (_request, response) => reject(new Error(`status ${response.statusCode}`)));
  });
  return {
    socket,
    closed,
    next: messages.next,
    /** @param {string | Buffer} message */
    async ask(message) {
      socket.send(message);
      return messages.next();
    },
    close: () => socket.terminate(),
  };
}
