/**
 * The end of an HTTP server, without an answer lost.
 */
import cluster from 'node:cluster';
import { once } from 'node:events';
import { Server } from 'node:net';

/** @import { Limits } from './limits.js' */

const SWEEP_MS = 100;

/**
 * Takes no further connections, lets answers finish, and ends what is left after the limit.
 *
 * An idle connection is not closed at once: its client may be sending the next request at this very moment, and would
 * find the connection reset. It gets a moment to do so, and then an answer that says `Connection: close`.
 *
 * @param {import('node:http').Server} server
 * @param {Pick<Limits, 'drainMs' | 'idleGraceMs'>} limits
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

/**
 * Parts from the primary of a cluster (pm2), when all listeners have closed; alone it has nothing to do.
 *
 * There it is the primary that accepts connections, and it may have sent some here that have not arrived. A worker whose
 * listener has closed sends them back, and the primary gives them to another; but one that a worker has not sent back
 * before its process ends is never answered. Messages arrive in their order, so once the primary has acknowledged that
 * this worker leaves, none is on its way. Whatever is logged afterwards, pm2 does not get.
 *
 * @see https://github.com/nodejs/node/blob/v20.20.2/lib/internal/cluster/child.js onconnection() and _disconnect()
 */
export async function leaveCluster() {
  const { worker } = cluster;
  if (!worker?.isConnected()) return;
  const left = once(worker, 'disconnect');
  worker.disconnect();
  await left;
}
