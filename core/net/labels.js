/** The names for people of what is compared; their order is that of tables and plans. */

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

/** Of the transfer methods; pages call them transports. WebSocket has two, as text and bytes differ. */
export const TRANSFER_LABELS = Object.freeze({
  ajax: 'AJAX',
  fetch: 'fetch',
  'websocket-text': 'WebSocket text',
  'websocket-binary': 'WebSocket binary',
  sockjs: 'SockJS',
});

/** Of those transfer methods that can also open a connection for each message. */
export const NEW_CONNECTION_LABELS = Object.freeze({
  'ajax-new': 'AJAX, new connection per message',
  'fetch-new': 'fetch, new connection per message',
  'websocket-text-new': 'WebSocket text, new connection per message',
  'websocket-binary-new': 'WebSocket binary, new connection per message',
});

export const DELIVERY_LABELS = Object.freeze({
  poll: 'Polling',
  'long-poll': 'Long polling',
  sse: 'Server-sent events',
  'socket-per-job': 'A WebSocket per job',
  push: 'One WebSocket per user',
  sockjs: 'One SockJS connection per user',
});

/** What the other delivery methods are compared with: the first of these that was measured. */
export const DELIVERY_BASELINES = Object.freeze(['push', 'sockjs']);

/** Of the protocols that were negotiated; SockJS's fallbacks have no other name. */
const PROTOCOL_LABELS = Object.freeze({
  'http/1.0': 'HTTP/1.0',
  'http/1.1': 'HTTP/1.1',
  h2: 'HTTP/2',
  h3: 'HTTP/3',
  websocket: 'WebSocket',
});

/** @param {Readonly<Record<string, string>>} labels @param {string} name */
const labelIn = (labels, name) => (Object.hasOwn(labels, name) ? labels[name] : name);

/** @param {string} transport @returns {string} */
export const labelOf = (transport) => labelIn(LABELS, transport);

/** @param {string} transfer @returns {string} */
export const labelOfTransfer = (transfer) => labelIn({ ...TRANSFER_LABELS, ...NEW_CONNECTION_LABELS }, transfer);

/** @param {string} protocol as negotiated, like 'h2' @returns {string} */
export const labelOfProtocol = (protocol) => labelIn(PROTOCOL_LABELS, protocol);

/** Like 'Polling every 500 ms'. @param {string} delivery @param {number} [intervalMs] of polling @returns {string} */
export function labelOfDelivery(delivery, intervalMs) {
  const label = labelIn(DELIVERY_LABELS, delivery);
  return intervalMs === undefined ? label : `${label} every ${intervalMs} ms`;
}

/** As it stands within a sentence: 'polling every 500 ms'. @param {string} delivery @param {number} [intervalMs] */
export function labelWithin(delivery, intervalMs) {
  const label = labelOfDelivery(delivery, intervalMs);
  return label[0].toLowerCase() + label.slice(1);
}

/** Did SockJS, asked or not, do without a WebSocket? @param {string} transport @param {string | undefined} protocol */
export function isFallback(transport, protocol) {
  return transport.startsWith('sockjs') && protocol !== undefined && protocol !== 'websocket';
}
