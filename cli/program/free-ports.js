import { once } from 'node:events';
import { createServer } from 'node:net';

/** @import { Server } from 'node:net' */

/** The range is below that of outgoing connections, which could take a port of a row at any time. */
const [MIN_PORT, MAX_PORT] = [20_000, 30_000];

/** The ports of a row: the process that uses a row listens at its first port until it ends. */
const ROW_LENGTH = 50;
const ROW_COUNT = (MAX_PORT - MIN_PORT) / ROW_LENGTH;

/**
 * Finds a row of ports that are free now, and that no other test gets while this process runs: it listens at the row's
 * first port.
 * @param {number} count @returns {Promise<number>} the first of them
 */
export async function findFreePorts(count) {
  if (count >= ROW_LENGTH) throw new RangeError(`count: expected less than ${ROW_LENGTH}, got ${count}`);
  for (;;) {
    const guard = MIN_PORT + ROW_LENGTH * Math.floor(Math.random() * ROW_COUNT);
    const holder = await listenAt(guard);
    if (!holder) continue;
    const ports = Array.from({ length: count }, (_, i) => guard + 1 + i);
    if ((await Promise.all(ports.map(isFree))).every(Boolean)) {
      holder.unref();
      return guard + 1;
    }
    holder.close();
  }
}

/** @param {number} port @returns {Promise<Server | undefined>} absent if another does */
async function listenAt(port) {
  const server = createServer();
  try {
    server.listen(port);
    await once(server, 'listening');
    return server;
  } catch {
    return undefined;
  }
}

/** @param {number} port */
async function isFree(port) {
  const server = await listenAt(port);
  server?.close();
  return server !== undefined;
}
