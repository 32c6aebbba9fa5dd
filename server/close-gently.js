/**
 * The end of an HTTP server, without an answer lost.
 */
import { Server } from 'node:net';

const SWEEP_MS = 100;

/**
 * Takes no further connections, lets answers finish, and ends what is left after the limit.
 *
 * An idle connection is not closed at once: its client may be sending the next request at this very moment, and would
 * find the connection reset. It gets a moment to do so, and then an answer that says `Connection: close`.
 *
 * @param {import('node:http').Server} server
 * @param {Pick<import('./limits.js').Limits, 'drainMs' | 'idleGraceMs'>} limits
 * @returns {Promise<void>}
 */
export async function closeGently(server, { drainMs, idleGraceMs }) {
  const startedAt = Date.now();
  await new Promise((resolve) => {
    // http.Server's own close() ends idle connections first; net.Server's only stops listening.
    Server.prototype.close.call(server, () => {
      clearInterval(sweep);
      resolve(undefined);
    });
    const sweep = setInterval(() => {
      const elapsedMs = Date.now() - startedAt;
      if (elapsedMs >= drainMs) server.closeAllConnections();
      else if (elapsedMs >= idleGraceMs) server.closeIdleConnections();
      if (elapsedMs >= drainMs) resolve(undefined);
    }, SWEEP_MS);
  });
}
