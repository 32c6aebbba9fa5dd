/**
 * @import { Server } from 'node:http'
 * @import { AddressInfo } from 'node:net'
 */

/**
 * A server as a process of its own: it tells its port, and its CPU time whenever it is asked, and ends with its parent.
 *
 * @param {Server} server
 */
export function serve(server) {
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuMicroseconds: user + system });
  });
  process.on('disconnect', () => process.exit());
  server.listen(0, '127.0.0.1', () => {
    const { port } = /** @type {AddressInfo} */ (server.address());
    process.send?.({ port });
  });
}
