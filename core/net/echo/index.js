/**
 * The transports: a client each, and a row, from which everything else follows that a transport needs: labels, plans,
 * contradictions, what pages and Node load. Only its colour, the property `--NAME`, stands in public/css/site.css.
 * @typedef {{ socket: boolean, doesFallBack?: boolean }} Capabilities `socket`: one lasting connection, which a timeout
 *   or a close ends; `doesFallBack`: does the setup try one transport after the other?
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
 * @typedef {object} TransportRow
 * @property {string} name in links, documents and style sheets
 * @property {string} label for people
 * @property {string} endpoint the path on the server that it connects to
 * @property {string} library a package, or an API of browsers, that its client is built on: public/js/libraries.js and
 *   cli/net/transports.js list what they load for it; what Node has not is measured by pages alone
 * @property {readonly string[]} protocols that it can negotiate
 * @property {boolean} isSocket has it one lasting connection? The same as its client's `capabilities.socket`
 * @property {'possible' | 'always'} [fallback] to an HTTP transport of SockJS: where no WebSocket can be opened, or instead
 *   of one; absent where it knows none
 * @property {string} [client] the name of its client, where it is not its own
 * @property {string} [only] the transport that SockJS is limited to, by its client's name for it
 * @property {boolean} [needsDocument] does it work by elements of a page, for pages on other sites?
 * @property {boolean} [endsWithMessage] does its client send one more message to end its connection?
 * @property {readonly Platform[]} [defaultOn] the platforms on which a run has it, if nothing else is chosen
 * @typedef {'page' | 'node'} Platform
 * @typedef {Pick<TransportRow, 'name' | 'library' | 'needsDocument' | 'defaultOn'>} PlatformRow where it can be measured
 */
import { HTTP, SOCKJS, WEBSOCKET } from '../protocols.js';
import { byName, namesOf } from '../rows.js';
import { createAjax, createFetch, createXhr } from './http.js';
import { createSockjs, createWebsocket, createSse } from './sockets.js';

/**
 * The clients, which are not in the rows: what a page does not call is left out of its script, and most pages only name
 * transports.
 * @type {Record<string, (options: any) => Transport>}
 */
const CLIENTS = {
  ajax: createAjax,
  xhr: createXhr,
  fetch: createFetch,
  websocket: createWebsocket,
  sse: createSse,
  sockjs: createSockjs,
};

const BY_HTTP = { endpoint: '/ajaxecho', isSocket: false, protocols: HTTP };
const BY_SOCKJS = { endpoint: '/echo', library: 'sockjs-client', isSocket: true };

/**
 * Returns a row of SockJS over only one of its transports.
 * @param {string} only @param {Partial<TransportRow>} [more] @returns {TransportRow}
 */
const sockjsOver = (only, more) => ({
  ...BY_SOCKJS,
  name: `sockjs-${only}`,
  label: `SockJS ${only}`,
  client: 'sockjs',
  only,
  protocols: [only],
  fallback: 'always',
  ...more,
});

/** The transports, in the order of tables and plans. */
export const transports = byName(
  /** @type {TransportRow[]} */ ([
    { ...BY_HTTP, name: 'ajax', label: 'AJAX', library: 'jquery', defaultOn: ['page'] },
    { ...BY_HTTP, name: 'xhr', label: 'XHR', library: 'XMLHttpRequest', defaultOn: ['page'] },
    { ...BY_HTTP, name: 'fetch', label: 'fetch', library: 'fetch', defaultOn: ['node'] },
    {
      name: 'websocket',
      label: 'WebSocket',
      // This is SockJS's endpoint for a WebSocket without its framing, so that they differ only in that framing.
      endpoint: '/echo/websocket',
      library: 'WebSocket',
      protocols: WEBSOCKET,
      isSocket: true,
      defaultOn: ['page', 'node'],
    },
    {
      name: 'sse',
      label: 'SSE + POST',
      endpoint: '/sse',
      library: 'EventSource',
      protocols: HTTP,
      isSocket: true,
    },
    {
      ...BY_SOCKJS,
      name: 'sockjs',
      label: 'SockJS',
      protocols: SOCKJS,
      fallback: 'possible',
      defaultOn: ['page', 'node'],
    },
    sockjsOver('xhr-streaming'),
    sockjsOver('eventsource'),
    sockjsOver('xhr-polling'),
    sockjsOver('iframe-eventsource', { needsDocument: true }),
    sockjsOver('iframe-htmlfile', { needsDocument: true }),
    sockjsOver('iframe-xhr-polling', { needsDocument: true }),
    sockjsOver('jsonp-polling', { needsDocument: true, endsWithMessage: true }),
  ]),
);

/**
 * @param {Platform} platform @param {Readonly<Record<string, PlatformRow>>} [rows]
 * @returns {readonly string[]} what a run there has, if nothing else is chosen
 */
export const defaultTransportsOn = (platform, rows = transports) =>
  namesOf(rows, ({ defaultOn = [] }) => defaultOn.includes(platform));

/**
 * @param {string} name of a row
 * @param {{ url: string, library?: any, performance?: any }} options `url` of its endpoint; `library` where the platform has
 *   to load it
 * @returns {Transport}
 */
export function createTransport(name, options) {
  const { client = name, only } = transports[name];
  return CLIENTS[client]({ ...options, only });
}
