/**
 * Bytes from one end of a link to the other, in the fewest words: what a link's rate is measured with.
 *
 * usage: node transfer.js send BYTES (writes its port), node transfer.js receive ADDRESS PORT (writes how long it took)
 */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** @import { AddressInfo } from 'node:net' */

const [role, ...args] = process.argv.slice(2);
if (role === 'send') await send(Number(args[0]));
else await receive(args[0], Number(args[1]));

/** @param {number} byteCount */
async function send(byteCount) {
  const server = createServer((socket) => socket.end(Buffer.alloc(byteCount)));
  server.listen(0);
  await once(server, 'listening');
  process.stdout.write(`${/** @type {AddressInfo} */ (server.address()).port}\n`);
}

/**
 * @param {string} address
 * @param {number} port
 */
async function receive(address, port) {
  // Before anything can come: when a busy machine notices that the connection is open, much may be here already.
  const startedAtMs = performance.now();
  const socket = connect(port, address);
  let receivedBytes = 0;
  socket.on('data', ({ length }) => (receivedBytes += length));
  await once(socket, 'close');
  process.stdout.write(`${JSON.stringify({ receivedBytes, elapsedMs: performance.now() - startedAtMs })}\n`);
}
