/** The names for people of what is compared, as its rows have them; their order is that of tables and plans. */
import { deliveries } from './delivery/index.js';
import { transports } from './echo/index.js';
import { newTransfers, transfers } from './transfer/index.js';

/** @param {Readonly<Record<string, { name: string, label: string }>>} table @returns {Readonly<Record<string, string>>} */
const labelsOf = (table) => Object.freeze(Object.fromEntries(Object.values(table).map((row) => [row.name, row.label])));

export const LABELS = labelsOf(transports);
/** Of the transfer methods; pages call them transports. */
export const TRANSFER_LABELS = labelsOf(transfers);
/** Of those transfer methods that can also open a connection for each message. */
export const NEW_CONNECTION_LABELS = labelsOf(newTransfers);
export const DELIVERY_LABELS = labelsOf(deliveries);

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
  const canBe = transports[transport]?.fallback !== undefined;
  return canBe && protocol !== undefined && protocol !== 'websocket';
}
