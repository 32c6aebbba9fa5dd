/** The labels of what is compared, from its rows, in the order of tables and plans. */
import { uncapitalize } from '../../base/format.js';
import { deliveries } from '../../net/delivery/index.js';
import { transports } from '../../net/echo/index.js';
import { newTransfers, transfers } from '../../net/transfer/index.js';

/** @param {Readonly<Record<string, { name: string, label: string }>>} table @returns {Readonly<Record<string, string>>} */
const labelsOf = (table) => Object.freeze(Object.fromEntries(Object.values(table).map((row) => [row.name, row.label])));

export const LABELS = labelsOf(transports);
/** The labels of the transfer methods, which pages call transports. */
export const TRANSFER_LABELS = labelsOf(transfers);
/** The labels of the transfer methods that can also open a connection for each message. */
export const NEW_CONNECTION_LABELS = labelsOf(newTransfers);
export const DELIVERY_LABELS = labelsOf(deliveries);

/** The labels of negotiated protocols; SockJS's fallbacks have no other name. */
const PROTOCOL_LABELS = Object.freeze({
  'http/1.0': 'HTTP/1.0',
  'http/1.1': 'HTTP/1.1',
  h2: 'HTTP/2',
  h3: 'HTTP/3',
  websocket: 'WebSocket',
});

/** @param {Readonly<Record<string, string>>} labels @param {string} name */
const labelIn = (labels, name) => (Object.hasOwn(labels, name) ? labels[name] : name);

/** Labels a transport; one that this version does not know has its name. @param {string} transport @returns {string} */
export const labelOf = (transport) => labelIn(LABELS, transport);

/** Labels a transfer method, or a new connection for each message. @param {string} transfer @returns {string} */
export const labelOfTransfer = (transfer) => labelIn({ ...TRANSFER_LABELS, ...NEW_CONNECTION_LABELS }, transfer);

/** @param {string} protocol as negotiated, like 'h2' @returns {string} */
export const labelOfProtocol = (protocol) => labelIn(PROTOCOL_LABELS, protocol);

/**
 * Returns a label like 'Polling every 500 ms'.
 * @param {string} delivery @param {number} [intervalMs] of polling @returns {string}
 */
export function labelOfDelivery(delivery, intervalMs) {
  const label = labelIn(DELIVERY_LABELS, delivery);
  return intervalMs === undefined ? label : `${label} every ${intervalMs} ms`;
}

/**
 * Returns the label within a sentence: 'polling every 500 ms'.
 * @param {string} delivery @param {number} [intervalMs]
 */
export function labelWithin(delivery, intervalMs) {
  return uncapitalize(labelOfDelivery(delivery, intervalMs));
}

/**
 * Returns what a push is called within a sentence: 'WebSocket', where its label counts connections.
 * @param {string} delivery @returns {string}
 */
export function nameOfPush(delivery) {
  const row = deliveries[delivery];
  return row?.socketPer === 'user' ? labelOf(row.transport) : labelWithin(delivery);
}
