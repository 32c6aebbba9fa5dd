/** The transports' names for people; their order is that of tables and plans. */
export const LABELS = Object.freeze({
  ajax: 'AJAX',
  xhr: 'XHR',
  websocket: 'WebSocket',
  sockjs: 'SockJS',
});

/**
 * @param {string} transport
 * @returns {string}
 */
export function labelOf(transport) {
  return /** @type {Record<string, string>} */ (LABELS)[transport] ?? transport;
}
