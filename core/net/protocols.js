/** What can be negotiated: the names that documents have for it. */

/** As Resource Timing has them: https://developer.mozilla.org/en-US/docs/Web/API/PerformanceResourceTiming/nextHopProtocol */
export const HTTP = Object.freeze(['http/1.0', 'http/1.1', 'h2', 'h3']);

export const WEBSOCKET = Object.freeze(['websocket']);

/** As sockjs-client names its transports. */
export const SOCKJS = Object.freeze([
  'websocket', 'xhr-streaming', 'xdr-streaming', 'eventsource', 'iframe-eventsource', 'htmlfile', 'iframe-htmlfile',
  'xhr-polling', 'xdr-polling', 'iframe-xhr-polling', 'jsonp-polling',
]); // prettier-ignore
