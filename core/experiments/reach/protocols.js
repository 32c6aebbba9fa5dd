/** Lists the protocols that a check of reachability can have negotiated. */
import { HTTP, SOCKJS, WEBSOCKET } from '../../net/protocols.js';

/**
 * The protocols by transport: SockJS's own by its client's names, and all of them except WebSocket.
 * @type {Map<string, readonly string[]>}
 */
const BY_TRANSPORT = new Map([
  ...SOCKJS.map((name) => /** @type {const} */ ([name, [name]])),
  ['fallback', SOCKJS.filter((name) => name !== 'websocket')],
  ['fetch', HTTP],
]);

/** The protocols by check, if it has no transport. @type {Map<string, readonly string[]>} */
const BY_CHECK = new Map([
  ...among(['http', 'events', 'stream', 'poll'], HTTP),
  ...among(['upgrade', 'text', 'binary', 'size-64k', 'size-1m', 'silence', 'heartbeat', 'idle'], WEBSOCKET),
  ...among(['fallback', 'fallback-default'], SOCKJS),
]);

/** @param {readonly string[]} names @param {readonly string[]} protocols @returns {[string, readonly string[]][]} */
function among(names, protocols) {
  return names.map((name) => [name, protocols]);
}

/** @param {{ transport?: string, check: string }} trial @returns {readonly string[] | undefined} */
export const usableProtocolsOf = ({ transport, check }) =>
  transport ? BY_TRANSPORT.get(transport) : BY_CHECK.get(check);
