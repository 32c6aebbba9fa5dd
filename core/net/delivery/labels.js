/** The ways of learning that a job is done, as people call them; their order is that of tables and plans. */
export const WAY_LABELS = Object.freeze({
  poll: 'Polling',
  'long-poll': 'Long polling',
  sse: 'Server-sent events',
  'socket-per-job': 'A WebSocket per job',
  push: 'One WebSocket',
  sockjs: 'One SockJS connection',
});

/** What others are set against, by the first of these that was measured. */
export const WAY_BASELINES = Object.freeze(['push', 'sockjs']);

/**
 * @param {string} way
 * @param {number} [intervalMs] of polling
 * @returns {string}
 * @example labelOfWay('poll', 500) // 'Polling every 500 ms'
 */
export function labelOfWay(way, intervalMs) {
  const label = /** @type {Record<string, string>} */ (WAY_LABELS)[way] ?? way;
  return intervalMs === undefined ? label : `${label} every ${intervalMs} ms`;
}

/**
 * @param {string} way
 * @param {number} [intervalMs] of polling
 * @returns {string} as it stands within a sentence
 * @example labelWithin('poll', 500) // 'polling every 500 ms'
 */
export function labelWithin(way, intervalMs) {
  const label = labelOfWay(way, intervalMs);
  return label[0].toLowerCase() + label.slice(1);
}
