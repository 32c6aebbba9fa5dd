/**
 * Which TCP connections over a link still carry something.
 *
 * usage: node connections.js serve (writes its port), node connections.js ask ADDRESS PORT (for each line of standard input, opens
 * one more connection, asks over all of them, and writes which were answered, the oldest first)
 */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as waitMs } from 'node:timers/promises';

/** @import { AddressInfo, Socket } from 'node:net' */

/** After the answer over the newest, which was asked last: TCP sends again within this time. */
const MORE_MS = 1000;

const [role, ...args] = process.argv.slice(2);
if (role === 'serve') await serve();
else await ask(args[0], Number(args[1]));

async function serve() {
  const server = createServer((socket) => socket.pipe(socket));
  server.listen(0);
  await once(server, 'listening');
  process.stdout.write(`${/** @type {AddressInfo} */ (server.address()).port}\n`);
}

/** @param {string} address @param {number} port */
async function ask(address, port) {
  /** @type {Socket[]} */
  const sockets = [];
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  while (!(await lines.next()).done) {
    const answered = new Set();
    for (const socket of sockets) {
      socket.removeAllListeners('data').on('data', () => answered.add(socket));
      socket.write('?');
    }
    const newest = connect(port, address);
    sockets.push(newest);
    newest.on('data', () => answered.add(newest)).write('?');
    await once(newest, 'data');
    await waitMs(MORE_MS);
    process.stdout.write(`${JSON.stringify(sockets.map((socket) => answered.has(socket)))}\n`);
  }
  process.exit();
}
