/**
 * The carriers that there are without a browser: jQuery needs one. As transports.js, this loads their libraries late.
 */
import { carriers } from '../../core/net/transfer/index.js';
import { shareRequestTiming } from './request-timing.js';

/** @import { Carrier } from '../../core/net/transfer/index.js' */

const loadWebSocket = async () => (await import('ws')).WebSocket;

/** @type {Readonly<Record<string, () => unknown>>} by name, what gives the library of each, or a promise of it */
const LIBRARIES = Object.freeze({
  fetch: () => globalThis.fetch,
  'websocket-text': loadWebSocket,
  'websocket-binary': loadWebSocket,
  sockjs: async () => (await import('sockjs-client')).default,
});

const now = () => performance.now();

/** What can be measured from Node, and is by default. */
export const NODE_CARRIERS = Object.freeze(Object.keys(LIBRARIES));

/**
 * @param {string} origin of the site
 * @param {readonly string[]} [names] default: all
 * @returns {Promise<Record<string, Carrier>>} by name
 */
export async function createCarriers(origin, names = NODE_CARRIERS) {
  const timing = /** @type {any} */ (shareRequestTiming());
  const entries = names.map(async (name) => [
    name,
    carriers[name]({ library: await LIBRARIES[name](), origin, now, performance: timing }),
  ]);
  return Object.fromEntries(await Promise.all(entries));
}
