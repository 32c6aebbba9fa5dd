/**
 * The carriers that there are without a browser: jQuery needs one.
 */
import SockJS from 'sockjs-client';
import { WebSocket } from 'ws';
import { carriers } from '../core/carriers/index.js';
import { createRequestTiming } from './request-timing.js';

/** @type {Readonly<Record<string, unknown>>} by name, with the library of each */
const LIBRARIES = Object.freeze({
  fetch: globalThis.fetch,
  'websocket-text': WebSocket,
  'websocket-binary': WebSocket,
  sockjs: SockJS,
});

const now = () => performance.now();

/** What can be measured from Node, and is, unless told otherwise. */
export const NODE_CARRIERS = Object.freeze(Object.keys(LIBRARIES));

/**
 * @param {string} origin of the site
 * @returns {Record<string, import('../core/carriers/index.js').Carrier>} by name
 */
export function createCarriers(origin) {
  const timing = /** @type {any} */ (createRequestTiming());
  return Object.fromEntries(
    Object.entries(LIBRARIES).map(([name, library]) => [
      name,
      carriers[name]({ library, origin, now, performance: timing }),
    ]),
  );
}
