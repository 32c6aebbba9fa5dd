/**
 * Lists the addresses where pm2's workers listen, at their shared port and each at its own, and checks them.
 */
import { once } from 'node:events';
import { createServer, isIPv6 } from 'node:net';
import { parseConfig } from '../server/config.js';
import { ownPortOf } from '../server/workers.js';

const LIMIT_MS = 5000;

/** @typedef {{ host: string | undefined, port: number }} Place `host` is absent for all interfaces */

/**
 * @param {Record<string, string | undefined>} [env] with the site's settings @returns {Place[]} the shared one first
 * @throws {InvalidInputError} if a setting is wrong
 */
export function listPlaces(env = process.env) {
  const { host, port, workers } = parseConfig({ ...env, NODE_APP_INSTANCE: '0' });
  const own = workers ? Array.from({ length: workers.count }, (_, index) => ownPortOf(workers, index)) : [];
  return [{ host, port }, ...own.map((its) => ({ host: '127.0.0.1', port: its }))];
}

/** @param {Place} place */
export const formatPlace = ({ host = '*', port }) => `${isIPv6(host) ? `[${host}]` : host}:${port}`;

/** @param {Place} place */
export const originOf = ({ host = '127.0.0.1', port }) => `http://${formatPlace({ host, port })}`;

/** @param {string} url @throws {Error} unless it answers with 200 in time */
export async function ask(url) {
  const failed = (/** @type {unknown} */ got) => new Error(`${url}: expected 200 within ${LIMIT_MS} ms, got ${got}`);
  const response = await fetch(url, { signal: AbortSignal.timeout(LIMIT_MS) }).catch((error) => {
    throw failed(error.cause?.message ?? error.message);
  });
  if (response.status !== 200) throw failed(response.status);
  await response.arrayBuffer();
}

/** @param {Place[]} places @throws {Error} if this user cannot listen at one of them */
export async function checkFree(places) {
  for (const { host, port } of places) {
    const server = createServer();
    try {
      await once(server.listen({ host, port, exclusive: true }), 'listening');
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      throw new Error(`PORT: expected this port and the next ones, one per worker, to be free, got ${message}`, {
        cause: error,
      });
    } finally {
      server.close();
    }
  }
}
