/**
 * The transfer methods that need no browser, as jQuery does. As transports.js, this loads their libraries late.
 */
import { transfers } from '../../core/net/transfer/index.js';
import { shareRequestTiming } from './request-timing.js';

/** @import { TransferMethod } from '../../core/net/transfer/index.js' */

const loadWebSocket = async () => (await import('ws')).WebSocket;

/** @type {Readonly<Record<string, () => unknown>>} by name, what returns its library, or a promise of it */
const LIBRARIES = Object.freeze({
  fetch: () => globalThis.fetch,
  'websocket-text': loadWebSocket,
  'websocket-binary': loadWebSocket,
  sockjs: async () => (await import('sockjs-client')).default,
});

const now = () => performance.now();

/** The default from Node.js, which can measure no others. */
export const NODE_TRANSFERS = Object.freeze(Object.keys(LIBRARIES));

/**
 * @param {string} origin of the site
 * @param {readonly string[]} [names] default: all
 * @returns {Promise<Record<string, TransferMethod>>} by name
 */
export async function createTransfers(origin, names = NODE_TRANSFERS) {
  const timing = /** @type {any} */ (shareRequestTiming());
  const entries = names.map(async (name) => [
    name,
    transfers[name]({ library: await LIBRARIES[name](), origin, now, performance: timing }),
  ]);
  return Object.fromEntries(await Promise.all(entries));
}
