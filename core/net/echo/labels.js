/** The transports' names for people; their order is that of tables and plans. */
export const LABELS = Object.freeze({
  ajax: 'AJAX',
  xhr: 'XHR',
  fetch: 'fetch',
  websocket: 'WebSocket',
  sse: 'SSE + POST',
  sockjs: 'SockJS',
  'sockjs-xhr-streaming': 'SockJS xhr-streaming',
  'sockjs-eventsource': 'SockJS eventsource',
  'sockjs-xhr-polling': 'SockJS xhr-polling',
  'sockjs-iframe-eventsource': 'SockJS iframe-eventsource',
  'sockjs-iframe-htmlfile': 'SockJS iframe-htmlfile',
  'sockjs-iframe-xhr-polling': 'SockJS iframe-xhr-polling',
  'sockjs-jsonp-polling': 'SockJS jsonp-polling',
});

/** @param {string} transport @returns {string} */
export function labelOf(transport) {
  return /** @type {Record<string, string>} */ (LABELS)[transport] ?? transport;
}

/**
 * Did SockJS, asked or not, do without a WebSocket?
 *
 * @param {string} transport
 * @param {string | undefined} protocol that was negotiated
 * @returns {boolean}
 */
export function isFallback(transport, protocol) {
  return transport.startsWith('sockjs') && protocol !== undefined && protocol !== 'websocket';
}
