/**
 * The transports that there are without a browser: jQuery and XMLHttpRequest need one, and so do SockJS's fallbacks by
 * iframe and by script. Their libraries are loaded when they are needed: that takes longer than all else before a run.
 */
import { transports } from '../../core/net/echo/index.js';
import { shareRequestTiming } from './request-timing.js';

/** @import { Transport } from '../../core/net/echo/index.js' */

const loadSockjs = async () => (await import('sockjs-client')).default;

/** @type {Readonly<Record<string, () => unknown>>} by name, what gives the library of each, or a promise of it */
const LIBRARIES = Object.freeze({
  fetch: () => globalThis.fetch,
  websocket: async () => (await import('ws')).WebSocket,
  sockjs: loadSockjs,
  'sockjs-xhr-streaming': loadSockjs,
  'sockjs-eventsource': loadSockjs,
  'sockjs-xhr-polling': loadSockjs,
});

/** What can be measured from Node. */
export const NODE_TRANSPORTS = Object.freeze(Object.keys(LIBRARIES));

/** What is measured by default. */
export const USUAL_NODE_TRANSPORTS = Object.freeze(['fetch', 'websocket', 'sockjs']);

/**
 * @param {string} origin of the site
 * @param {readonly string[]} [names] default: all
 * @returns {Promise<Record<string, Transport>>} by name
 */
export async function createTransports(origin, names = NODE_TRANSPORTS) {
  const performance = shareRequestTiming();
  const entries = names.map(async (name) => {
    const { create, endpoint } = transports[name];
    return [name, create({ library: await LIBRARIES[name](), performance, url: `${origin}${endpoint}` })];
  });
  return Object.fromEntries(await Promise.all(entries));
}
