import { isFallback, labelOf } from '../../../net/labels.js';

/** @import { Row } from '../report.js' */

/**
 * @param {Pick<Row, 'transport' | 'protocols'>} row
 * @returns {boolean} did SockJS do without a WebSocket, although nobody asked for that?
 */
export function didFallBack({ transport, protocols }) {
  return transport === 'sockjs' && protocols.some((protocol) => isFallback(transport, protocol));
}

/**
 * A fallback is never called what it is not; one that was asked for has its own name.
 *
 * @param {Row} row
 * @returns {string}
 */
export function nameOf(row) {
  const label = labelOf(row.transport);
  return didFallBack(row) ? `${label} over ${row.protocols.join(' and ')}` : label;
}
