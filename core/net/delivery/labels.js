/** The delivery methods, as people call them; their order is that of tables and plans. */
export const DELIVERY_LABELS = Object.freeze({
  poll: 'Polling',
  'long-poll': 'Long polling',
  sse: 'Server-sent events',
  'socket-per-job': 'A WebSocket per job',
  push: 'One WebSocket',
  sockjs: 'One SockJS connection',
});

/** What the others are compared with: the first of these that was measured. */
export const DELIVERY_BASELINES = Object.freeze(['push', 'sockjs']);

/**
 * @param {string} delivery
 * @param {number} [intervalMs] of polling
 * @returns {string}
 * @example labelOfDelivery('poll', 500) // 'Polling every 500 ms'
 */
export function labelOfDelivery(delivery, intervalMs) {
  const label = /** @type {Record<string, string>} */ (DELIVERY_LABELS)[delivery] ?? delivery;
  return intervalMs === undefined ? label : `${label} every ${intervalMs} ms`;
}

/**
 * @param {string} delivery
 * @param {number} [intervalMs] of polling
 * @returns {string} as it stands within a sentence
 * @example labelWithin('poll', 500) // 'polling every 500 ms'
 */
export function labelWithin(delivery, intervalMs) {
  const label = labelOfDelivery(delivery, intervalMs);
  return label[0].toLowerCase() + label.slice(1);
}
