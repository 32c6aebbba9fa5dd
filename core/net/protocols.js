/** The names of protocols in documents. */

/**
 * The names of Resource Timing:
 * https://developer.mozilla.org/en-US/docs/Web/API/PerformanceResourceTiming/nextHopProtocol
 */
export const HTTP = Object.freeze(['http/1.0', 'http/1.1', 'h2', 'h3']);

export const WEBSOCKET = Object.freeze(['websocket']);

/** The names of the transports in socket.io-client. */
export const SOCKETIO = Object.freeze(['polling', 'websocket']);

/** The names of the transports in sockjs-client. */
export const SOCKJS = Object.freeze([
  'websocket', 'xhr-streaming', 'xdr-streaming', 'eventsource', 'iframe-eventsource', 'htmlfile', 'iframe-htmlfile',
  'xhr-polling', 'xdr-polling', 'iframe-xhr-polling', 'jsonp-polling',
]); // prettier-ignore
