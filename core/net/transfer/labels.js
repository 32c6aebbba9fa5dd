/**
 * The carriers' names for people; their order is that of tables and plans. A carrier takes a message of a given size to the
 * server, from it, or both, and is called a transport on pages; of a WebSocket there are two, as text and bytes differ.
 */
export const CARRIER_LABELS = Object.freeze({
  ajax: 'AJAX',
  fetch: 'fetch',
  'websocket-text': 'WebSocket text',
  'websocket-binary': 'WebSocket binary',
  sockjs: 'SockJS',
});

/** @param {string} carrier @returns {string} */
export function labelOfCarrier(carrier) {
  return /** @type {Record<string, string>} */ (CARRIER_LABELS)[carrier] ?? carrier;
}
