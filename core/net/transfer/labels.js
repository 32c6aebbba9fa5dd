/**
 * The labels of the transfer methods, in the order of tables and plans. Pages call them transports. WebSocket has two, as
 * text and bytes differ.
 */
export const TRANSFER_LABELS = Object.freeze({
  ajax: 'AJAX',
  fetch: 'fetch',
  'websocket-text': 'WebSocket text',
  'websocket-binary': 'WebSocket binary',
  sockjs: 'SockJS',
});

/** @param {string} transfer @returns {string} */
export function labelOfTransfer(transfer) {
  return /** @type {Record<string, string>} */ (TRANSFER_LABELS)[transfer] ?? transfer;
}
