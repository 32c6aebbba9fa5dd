/** Connections that last: event streams and WebSockets, by address, with their messages where the file has them. */
import { formatAddress } from './address.js';
import { groupBy } from './groups.js';

/**
 * @import { Exchange } from './exchange.js'
 * @import { Stream } from './recording.js'
 */

/**
 * @param {readonly Exchange[]} exchanges
 * @returns {{ eventStreams: Stream[], webSockets: Stream[], others: Exchange[] }}
 */
export function splitLasting(exchanges) {
  const ofKind = (/** @type {string} */ kind) => exchanges.filter((one) => one.kind === kind);
  return {
    eventStreams: groupStreams(ofKind('event-stream')),
    webSockets: groupStreams(ofKind('websocket')),
    others: exchanges.filter(({ kind }) => kind !== 'event-stream' && kind !== 'websocket'),
  };
}

/** @param {readonly Exchange[]} exchanges @returns {Stream[]} in the order of their first connections */
function groupStreams(exchanges) {
  const byPattern = groupBy(exchanges, ({ address }) => formatAddress(address));
  return [...byPattern].map(([pattern, own]) => ({ pattern, count: own.length, ...countMessages(own) }));
}

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
