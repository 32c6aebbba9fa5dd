/** Which protocols a transport can have negotiated. */

/**
 * @import { Problem } from '../../contract.js'
 * @import { SeenTrial } from './list-trials.js'
 */

/** As Resource Timing has them: https://developer.mozilla.org/en-US/docs/Web/API/PerformanceResourceTiming/nextHopProtocol */
const HTTP = Object.freeze(['http/1.0', 'http/1.1', 'h2', 'h3']);
const WEBSOCKET = Object.freeze(['websocket']);
/** By sockjs-client's names for them. */
const SOCKJS = Object.freeze([
  'websocket', 'xhr-streaming', 'xdr-streaming', 'eventsource', 'iframe-eventsource', 'htmlfile', 'iframe-htmlfile',
  'xhr-polling', 'xdr-polling', 'iframe-xhr-polling', 'jsonp-polling',
]); // prettier-ignore

/** By the names of transports, delivery methods and transfer methods. */
const PROTOCOLS = new Map([
  ...['ajax', 'xhr', 'fetch', 'sse', 'poll', 'long-poll'].map((name) => /** @type {const} */ ([name, HTTP])),
  ...['websocket', 'websocket-text', 'websocket-binary', 'socket-per-job', 'push'].map(
    (name) => /** @type {const} */ ([name, WEBSOCKET]),
  ),
  /** @type {const} */ (['sockjs', SOCKJS]),
  // Those that were asked for one of SockJS's transports got that one.
  ...SOCKJS.map((only) => /** @type {const} */ ([`sockjs-${only}`, [only]])),
]);

/** @param {readonly SeenTrial[]} trials @returns {Problem[]} */
export function findWrongProtocols(trials) {
  return trials.flatMap(({ path, transport, protocol }) => {
    const known = PROTOCOLS.get(transport);
    if (!protocol || !known || protocol.split(', ').every((one) => known.includes(one))) return [];
    const message = `expected what ${transport} can go over (${known.join(', ')}), got “${protocol}”`;
    return { path: `${path}.protocol`, message };
  });
}
