/**
 * The transports: a row each, from which everything follows that a transport needs: its client, labels, plans,
 * contradictions, what pages and Node load. Only its colour, the property `--NAME`, stands in public/css/site.css.
 * @typedef {{ socket: boolean, doesFallBack?: boolean }} Capabilities `socket`: one lasting connection, which a timeout
 *   or a close ends; `doesFallBack`: does the setup try one transport after the other?
 * @typedef {object} Connection
 * @property {string | undefined} protocol what was really negotiated, like 'xhr-streaming' or 'h2'; absent: not known yet
 * @property {number | undefined} setUpMs absent where no connection was opened, or none yet
 * @property {number} [upgradeMs] until messages went over a WebSocket, where the setup ended before that
 * @property {RequestCounts} [requests] so far; absent for sockets, which make no requests of their own
 * @property {(payload: object, options: Cancel) => Promise<any>} exchange parsed; all of these reject with ExchangeErrors
 * @property {() => void} close may be called at any time, and again
 * @typedef {{ seenCount: number, openedCount: number, cacheHitCount: number, compressedCount?: number }} RequestCounts those
 *   that could be looked at (the browser keeps 250, and hides those to another origin); of them, those that opened a connection, those that a cache
 *   answered: must be 0; those whose answers were compressed, by a proxy: absent if there were none
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
 * @property {string} kind of connection, by its name in core/net/channel/index.js, which says what else stands here if the row
 *   does not: `sessionPath`, `library`, `protocols` and `isSocket`, each as described there
 * @property {string} endpoint the path on the server that it connects to
 * @property {string} [sessionPath]
 * @property {string} library
 * @property {readonly string[]} protocols
 * @property {boolean} isSocket
 * @property {'possible' | 'always'} [fallback] to requests over HTTP: where no WebSocket can be opened, or instead of one;
 *   absent where it knows none
 * @property {string} [fallbackCost] what the figures of a fallback include besides the path's time
 * @property {string} [only] the transport that its library is limited to, by the library's name for it
 * @property {boolean} [needsDocument] does its client need the document of a page, so that Node cannot measure it?
 * @property {boolean} [isForOtherSites] is it one of SockJS's for pages on other sites, by elements of a page?
 * @property {boolean} [endsWithMessage] does its client send one more message to end its connection?
 * @property {boolean} [isCandidate] does a full test offer it as what the visitor considers?
 * @property {boolean} [isFirstCandidate] the candidate, if nothing else is chosen
 * @property {readonly Step[]} [steps] what it adds to others, in a latency breakdown: the first of those that were
 *   measured in the same run
 * @property {readonly Platform[]} [defaultOn] the platforms on which a run has it, if nothing else is chosen
 * @typedef {{ over: string, name: string, isolates: string }} Step `over`: another transport; `name` of the difference;
 *   `isolates`: what it is the cost of, in a sentence
 * @typedef {'page' | 'node'} Platform
 * @typedef {object} EchoOptions of a client
 * @property {string} name
 * @property {string} kind
 * @property {string} url of its endpoint, http(s)
 * @property {string} libraryName
 * @property {any} [library] its implementation, where the platform has to load it
 * @property {boolean} doesFallBack
 * @property {string} [only] one of the library's own transports
 * @property {number} [timeoutMs] the minimum for each of these
 * @property {any} [performance]
 * @typedef {{ name: string, library: string, needsDocument?: boolean, defaultOn?: readonly Platform[] }} PlatformRow where it can be
 *   measured
 */
import { over, withEachKind } from '../channel/index.js';
import { WEBSOCKET } from '../protocols.js';
import { namesOf } from '../rows.js';
import { createHttpTransport } from './http.js';
import { createSocketTransport } from './sockets.js';

const BY_HTTP = over('http', 'echo');
const BY_WEBSOCKET = over('websocket', 'echo');
const BY_SOCKETIO = {
  ...over('socketio', 'echo'),
  steps: [
    {
      over: 'ws',
      name: 'Socket.IO’s packets and client',
      isolates: 'Both use the ws package on the server: only Socket.IO’s packets, its client and its server are added.',
    },
  ],
};
const FOR_OTHER_SITES = { isForOtherSites: true, needsDocument: true };
const BY_SOCKJS = over('sockjs', 'echo');

const SOCKJS_WAIT = 'the 25 ms that sockjs-client waits after each message over a fallback';
/** By the XMLHttpRequest Standard, a page hears of the pieces of an answer about every 50 ms. */
const STREAM_WAIT = `${SOCKJS_WAIT}, or, over xhr-streaming, up to 50 ms until the browser passes the answer to the page`;

/**
 * Returns a row of SockJS over only one of its transports.
 * @param {string} only @param {Partial<TransportRow>} [more] @returns {TransportRow}
 */
const sockjsOver = (only, more) => ({
  ...BY_SOCKJS,
  name: `sockjs-${only}`,
  label: `SockJS ${only}`,
  only,
  protocols: [only],
  fallback: 'always',
  fallbackCost: only === 'xhr-streaming' ? STREAM_WAIT : SOCKJS_WAIT,
  steps: [
    {
      over: 'sockjs',
      name: `Falling back to ${only}`,
      isolates: `Both use the same client and server: only the transport below differs.`,
    },
  ],
  ...more,
});

/** The transports, in the order of tables and plans. */
export const transports = withEachKind(
  'echo',
  /** @type {TransportRow[]} */ ([
    {
      ...BY_HTTP,
      name: 'ajax',
      label: 'AJAX',
      library: 'jquery',
      needsDocument: true,
      steps: [{ over: 'xhr', name: 'jQuery', isolates: 'Both send the same request: only jQuery is added.' }],
      defaultOn: ['page'],
    },
    {
      ...BY_HTTP,
      name: 'xhr',
      label: 'XHR',
      library: 'XMLHttpRequest',
      steps: ['ws', 'websocket'].map((over) => ({
        over,
        name: 'HTTP',
        isolates: 'Both are built into the browser: only HTTP’s request and response are added to each message.',
      })),
      defaultOn: ['page'],
    },
    { ...BY_HTTP, name: 'fetch', label: 'fetch', defaultOn: ['node'] },
    {
      ...BY_WEBSOCKET,
      name: 'ws',
      label: 'WebSocket',
      isCandidate: true,
      defaultOn: ['page', 'node'],
    },
    {
      ...BY_WEBSOCKET,
      name: 'websocket',
      label: 'WebSocket (SockJS’s server)',
      // This is SockJS's endpoint for a WebSocket without its framing, so that they differ only in that framing.
      endpoint: '/echo/websocket',
      steps: [
        {
          over: 'ws',
          name: 'SockJS’s WebSocket library',
          isolates: 'Both are native WebSockets: only the library on the server differs.',
        },
      ],
    },
    {
      ...over('event-stream', 'echo'),
      name: 'sse',
      label: 'SSE + POST',
      sessionPath: '/:session',
    },
    {
      ...BY_SOCKJS,
      name: 'sockjs',
      label: 'SockJS',
      fallback: 'possible',
      fallbackCost: STREAM_WAIT,
      isCandidate: true,
      isFirstCandidate: true,
      steps: [
        {
          over: 'websocket',
          name: 'SockJS’s framing and client',
          isolates: 'Both use SockJS’s WebSocket library on the server: only SockJS’s frames and its client are added.',
        },
        {
          over: 'ws',
          name: 'SockJS as a whole',
          isolates: 'SockJS adds its frames, its client, and its own WebSocket library on the server.',
        },
      ],
      defaultOn: ['page', 'node'],
    },
    {
      ...BY_SOCKETIO,
      name: 'socketio',
      label: 'Socket.IO',
      fallback: 'possible',
      isCandidate: true,
    },
    {
      ...BY_SOCKETIO,
      name: 'socketio-websocket',
      label: 'Socket.IO, WebSocket only',
      only: 'websocket',
      protocols: WEBSOCKET,
    },
    sockjsOver('xhr-streaming'),
    sockjsOver('eventsource'),
    sockjsOver('xhr-polling'),
    sockjsOver('iframe-eventsource', FOR_OTHER_SITES),
    sockjsOver('iframe-htmlfile', FOR_OTHER_SITES),
    sockjsOver('iframe-xhr-polling', FOR_OTHER_SITES),
    sockjsOver('jsonp-polling', { ...FOR_OTHER_SITES, endsWithMessage: true }),
  ]),
  (row) => row,
);

/**
 * @param {Platform} platform @param {Readonly<Record<string, PlatformRow>>} [rows]
 * @returns {readonly string[]} what a run there has, if nothing else is chosen
 */
export const defaultTransportsOn = (platform, rows = transports) =>
  namesOf(rows, ({ defaultOn = [] }) => defaultOn.includes(platform));

/**
 * @param {string} name of a row
 * @param {{ url: string } & Partial<EchoOptions>} options `url` of its endpoint; `library` where the platform has to load it
 * @returns {Transport}
 */
export function createTransport(name, options) {
  const { kind, library: libraryName, isSocket, only = options.only, fallback } = transports[name];
  const create = isSocket ? createSocketTransport : createHttpTransport;
  return create({ ...options, name, kind, libraryName, only, doesFallBack: fallback === 'possible' && !only });
}
