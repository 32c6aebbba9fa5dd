/** Connections that last: event streams and WebSockets, by address, with their messages where the file has them. */
import { formatAddress } from './address.js';
import { isLasting } from './exchange.js';
import { groupBy } from './groups.js';

/**
 * @import { Exchange } from './exchange.js'
 * @import { Stream } from './recording.js'
 */

/** Answers that open a connection; over HTTP/2, a WebSocket has the second, too. */
const OPENING = [101, 200];

/**
 * @param {readonly Exchange[]} exchanges
 * @returns {{ eventStreams: Stream[], webSockets: Stream[], others: Exchange[] }}
 */
export function splitLasting(exchanges) {
  const ofKind = (/** @type {string} */ kind) => exchanges.filter((one) => one.kind === kind);
  return {
    eventStreams: groupStreams(ofKind('event-stream')),
    webSockets: groupStreams(ofKind('websocket')),
    others: exchanges.filter(({ kind }) => !isLasting(kind)),
  };
}

/** @param {readonly Exchange[]} exchanges @returns {Stream[]} in the order of their first connections */
function groupStreams(exchanges) {
  const byAddress = groupBy(exchanges, ({ address }) => siteOf(address) + formatAddress(address));
  return [...byAddress.values()].map((own) => ({
    pattern: formatAddress(own[0].address),
    origin: siteOf(own[0].address),
    status: (own.find(({ status }) => OPENING.includes(status)) ?? own[own.length - 1]).status,
    count: own.length,
    ...countMessages(own),
  }));
}

/** @param {Exchange['address']} address @returns {string} that of the site's pages, also of a WebSocket */
const siteOf = ({ origin }) => origin.replace(/^ws/, 'http');

/** @param {Stream} stream @returns {boolean} did a connection of it open? */
export const isOpened = ({ status, receivedCount = 0 }) => OPENING.includes(status) || receivedCount > 0;

/** @param {readonly Stream[]} streams @returns {Set<string>} the origins to which they have opened a connection */
export const openOrigins = (streams) => new Set(streams.filter(isOpened).map(({ origin }) => origin));

/** @param {readonly Exchange[]} own @returns {Pick<Stream, 'receivedCount' | 'sentCount' | 'bytes'>} nothing where none has them */
function countMessages(own) {
  if (own.every(({ messages }) => messages === undefined)) return {};
  const messages = own.flatMap((one) => one.messages ?? []);
  const sentCount = messages.filter(({ isSent }) => isSent).length;
  return {
    receivedCount: messages.length - sentCount,
    sentCount,
    bytes: messages.reduce((sum, { size }) => sum + size, 0),
  };
}
