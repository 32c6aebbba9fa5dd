/**
 * What can be measured without a browser: jQuery and XMLHttpRequest need one, and so do SockJS's fallbacks by iframe and by
 * script. Libraries are loaded when they are needed: that takes longer than all else before a run.
 */
import { transports } from '../../core/net/echo/index.js';
import { transfers } from '../../core/net/transfer/index.js';
import { shareRequestTiming } from './request-timing.js';

/**
 * @import { Transport } from '../../core/net/echo/index.js'
 * @import { TransferMethod } from '../../core/net/transfer/index.js'
 */

const loadFetch = async () => globalThis.fetch;
const loadWebSocket = async () => (await import('ws')).WebSocket;
const loadSockjs = async () => (await import('sockjs-client')).default;

/** @type {Readonly<Record<string, () => Promise<unknown>>>} */
const LIBRARIES = Object.freeze({
  fetch: loadFetch,
  websocket: loadWebSocket,
  'websocket-text': loadWebSocket,
  'websocket-binary': loadWebSocket,
  sockjs: loadSockjs,
  'sockjs-xhr-streaming': loadSockjs,
  'sockjs-eventsource': loadSockjs,
  'sockjs-xhr-polling': loadSockjs,
});

const NODE_NAMES = Object.keys(LIBRARIES);
export const NODE_TRANSPORTS = Object.freeze(NODE_NAMES.filter((name) => name in transports));
export const NODE_TRANSFERS = Object.freeze(NODE_NAMES.filter((name) => name in transfers));

/** What is measured by default. */
export const USUAL_NODE_TRANSPORTS = Object.freeze(['fetch', 'websocket', 'sockjs']);

/** By name. @param {string} origin @param {readonly string[]} names @returns {Promise<Record<string, Transport>>} */
export const createTransports = (origin, names) =>
  createAll(names, (name, library, performance) => {
    const { create, endpoint } = transports[name];
    return create({ library, performance, url: `${origin}${endpoint}` });
  });

/** By name. @param {string} origin @param {readonly string[]} names @returns {Promise<Record<string, TransferMethod>>} */
export const createTransfers = (origin, names) =>
  createAll(names, (name, library, timing) =>
    transfers[name]({ library, origin, now: () => performance.now(), performance: timing }),
  );

/**
 * @template T @param {readonly string[]} names @param {(name: string, library: any, performance: any) => T} create
 * @returns {Promise<Record<string, T>>}
 */
async function createAll(names, create) {
  const timing = shareRequestTiming();
  const entries = names.map(async (name) => [name, create(name, await LIBRARIES[name](), timing)]);
  return Object.fromEntries(await Promise.all(entries));
}
