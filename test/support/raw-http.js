import { once } from 'node:events';
import { connect } from 'node:net';

/**
 * Sends bytes as they are and gives all that comes back until the server closes: for requests that no client library
 * would make.
 *
 * @param {number} port
 * @param {string | Buffer} bytes
 * @returns {Promise<string>}
 */
export async function sendRaw(port, bytes) {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => (text += chunk));
  // A reset after the answer is one way for a server to close.
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(bytes);
  await once(socket, 'close');
  return text;
}
