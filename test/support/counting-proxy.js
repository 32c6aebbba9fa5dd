/**
 * A proxy that counts what passes each way: the truth for whatever claims to know how many bytes there were.
 */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** @import { AddressInfo, Socket } from 'node:net' */

/**
 * @param {number} port of the server behind it, on this machine
 */
export async function openCountingProxy(port) {
  const counts = { toServerBytes: 0, fromServerBytes: 0, openCount: 0 };
  /** @type {Set<Socket>} */
  const sockets = new Set();
  const proxy = createServer({ allowHalfOpen: true }, (client) => {
    const server = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    counts.openCount++;
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.pipe(other);
      socket.on('error', () => other.destroy());
    }
    client.on('data', ({ length }) => (counts.toServerBytes += length));
    server.on('data', ({ length }) => (counts.fromServerBytes += length));
    server.on('close', () => {
      counts.openCount--;
      proxy.emit('settled');
    });
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const own = /** @type {AddressInfo} */ (proxy.address());
  return {
    port: own.port,
    origin: `http://127.0.0.1:${own.port}`,
    counts,
    /** Resolves when no connection is open. */
    async closed() {
      while (counts.openCount > 0) await once(proxy, 'settled');
    },
    async close() {
      proxy.close();
      for (const socket of sockets) socket.destroy();
      await once(proxy, 'close');
    },
  };
}
