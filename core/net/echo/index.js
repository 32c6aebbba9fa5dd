/**
 * The transports by name, each with the endpoint that answers it.
 * @typedef {{ socket: boolean, doesFallBack?: boolean }} Capabilities `socket`: one lasting connection, which a timeout
 *   or a close ends; `doesFallBack`: does set-up try one transport after the other?
 * @typedef {object} Connection
 * @property {string | undefined} protocol what was really negotiated, like 'xhr-streaming' or 'h2'; absent: not known yet
 * @property {number | undefined} setUpMs absent where no connection was opened, or none yet
 * @property {RequestCounts} [requests] so far; absent for sockets, which make no requests of their own
 * @property {(payload: object, options: Cancel) => Promise<any>} exchange parsed; all of these reject with ExchangeErrors
 * @property {() => void} close may be called at any time, and again
 * @typedef {{ seenCount: number, openedCount: number, cacheHitCount: number }} RequestCounts those that could be looked at (the
 *   browser keeps 250, and hides those to another origin); of them, those that opened a connection, and those that a cache
 *   answered: must be 0
 * @typedef {object} Transport
 * @property {string} name
 * @property {Capabilities} capabilities
 * @property {(options: Cancel) => Promise<Connection>} connect
 * @property {(options: Cancel) => Promise<number | undefined>} [measureColdSetUp] only where connections are reused:
 *   provokes a new one and gives what that costs, in milliseconds; absent where it cannot be measured here
 * @typedef {{ signal?: AbortSignal }} Cancel
 */
import { LABELS } from '../labels.js';
import { createAjax, createFetch, createXhr } from './http.js';
import { createSockjs, createWebsocket, createSse } from './sockets.js';

const sockjsTransports = Object.keys(LABELS)
  .filter((name) => name.startsWith('sockjs-'))
  .map((name) => {
    const create = (/** @type {any} */ options) => createSockjs({ ...options, only: name.slice('sockjs-'.length) });
    return [name, { create, endpoint: '/echo' }];
  });

/**
 * Made with a library, where one is needed, and a URL.
 * @type {Readonly<Record<string, { create: (options: any) => Transport, endpoint: string }>>}
 */
export const transports = Object.freeze({
  ajax: { create: createAjax, endpoint: '/ajaxecho' },
  xhr: { create: createXhr, endpoint: '/ajaxecho' },
  fetch: { create: createFetch, endpoint: '/ajaxecho' },
  // SockJS's own endpoint for a WebSocket without its framing: the difference between the two is that framing.
  websocket: { create: createWebsocket, endpoint: '/echo/websocket' },
  sse: { create: createSse, endpoint: '/sse' },
  sockjs: { create: createSockjs, endpoint: '/echo' },
  ...Object.fromEntries(sockjsTransports),
});
