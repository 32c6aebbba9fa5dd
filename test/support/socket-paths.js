/** The paths at which a server takes WebSockets, each with what one may send there: as its endpoints declare them. */
import { openServer } from './server.js';

/**
 * @import { Limits } from '../../server/http/limits.js'
 * @import { SocketLimits } from '../../server/sockets/socket-meter.js'
 * @typedef {{ example: string, limits: SocketLimits }} SocketPath `example`: path and query
 */

/** @param {string} pattern as of the paths that a server lists @param {string} [part] @returns {string} an example of them */
export const fillPattern = (pattern, part = 'x') => pattern.replace(/[:*]\w+/g, part);

/** @param {Partial<Limits>} [limits] of the server @returns {Promise<SocketPath[]>} */
export async function listSocketPaths(limits) {
  const { paths, close } = await openServer({ limits });
  await close();
  return paths.flatMap(({ pattern, socketLimits }) =>
    socketLimits ? [{ example: fillPattern(pattern), limits: socketLimits }] : [],
  );
}
