import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the range that systems give to outgoing connections, which would take one of a row at any time. */
const [LOWEST, HIGHEST] = [20_000, 30_000];

/**
 * A row of ports that are free now.
 *
 * @param {number} count
 * @returns {Promise<number>} the first of them
 */
export async function findFreePorts(count) {
  for (;;) {
    const first = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    const ports = Array.from({ length: count }, (_, i) => first + i);
    if ((await Promise.all(ports.map(isFree))).every(Boolean)) return first;
  }
}

/** @param {number} port */
async function isFree(port) {
  const server = createServer();
  try {
    server.listen(port);
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
