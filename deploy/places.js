/**
 * Where the workers of pm2 listen: at the port that they share, and each at one of its own.
 */
import { once } from 'node:events';
import { createServer, isIPv6 } from 'node:net';
import { parseConfig } from '../server/config.js';
import { ownPortOf } from '../server/workers.js';

/** @typedef {{ host: string | undefined, port: number }} Place `host` is absent for all interfaces */

/**
 * @param {Record<string, string | undefined>} [env] with the site's settings
 * @returns {Place[]} the shared one first
 * @throws {RangeError} where a setting is wrong
 */
export function listPlaces(env = process.env) {
  const { host, port, workers } = parseConfig({ ...env, NODE_APP_INSTANCE: '0' });
  /** @type {Place[]} */
  const places = [{ host, port }];
  for (let index = 0; workers && index < workers.count; index++) {
    places.push({ host: '127.0.0.1', port: ownPortOf(workers, index) });
  }
  return places;
}

/** @param {Place} place */
export function formatPlace({ host = '*', port }) {
  return `${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/** @param {Place} place */
export function originOf({ host = '127.0.0.1', port }) {
  return `http://${formatPlace({ host, port })}`;
}

/**
 * @param {Place[]} places
 * @throws {Error} where this user cannot listen at one of them
 */
export async function checkFree(places) {
  for (const { host, port } of places) {
    const server = createServer();
    try {
      await once(server.listen({ host, port, exclusive: true }), 'listening');
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      throw new Error(`PORT: expected that and one more for each worker to be free, got ${message}`, { cause: error });
    } finally {
      server.close();
    }
  }
}
