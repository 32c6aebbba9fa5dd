/**
 * The transports that there are without a browser: jQuery and XMLHttpRequest need one, and so do SockJS's fallbacks by
 * iframe and by script.
 */
import SockJS from 'sockjs-client';
import { WebSocket } from 'ws';
import { transports } from '../core/transports/index.js';
import { createRequestTiming } from './request-timing.js';

/** @type {Readonly<Record<string, unknown>>} by name, with the library of each */
const LIBRARIES = Object.freeze({
  fetch: globalThis.fetch,
  websocket: WebSocket,
  sockjs: SockJS,
  'sockjs-xhr-streaming': SockJS,
  'sockjs-eventsource': SockJS,
  'sockjs-xhr-polling': SockJS,
});

/** What can be measured from Node. */
export const NODE_TRANSPORTS = Object.freeze(Object.keys(LIBRARIES));

/** What is, unless told otherwise. */
export const USUAL_NODE_TRANSPORTS = Object.freeze(['fetch', 'websocket', 'sockjs']);

/**
 * @param {string} origin of the site
 * @returns {Record<string, import('../core/transports/index.js').Transport>} by name
 */
export function createTransports(origin) {
  const performance = createRequestTiming();
  return Object.fromEntries(
    Object.entries(LIBRARIES).map(([name, library]) => {
      const { create, endpoint } = transports[name];
      return [name, create({ library, performance, url: `${origin}${endpoint}` })];
    }),
  );
}
