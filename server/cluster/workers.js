/**
 * Several workers behind one port. A SockJS fallback takes several requests, and the operating system may hand each to
 * another worker; so a session has an owner, which every worker can compute: no registry, nothing shared.
 */
import { crc32 } from 'node:zlib';
import { createAddressList, LOOPBACK } from '../http/addresses.js';

/** @import { IncomingMessage } from 'node:http' */

const loopback = createAddressList(LOOPBACK);

/**
 * @typedef {object} Workers
 * @property {number} index which of them this is, from 0
 * @property {number} count how many share the port
 * @property {number} firstPort the own port of worker 0; each next one has the next
 */

/** How a worker that ends closes its sessions. (RFC 6455, section 7.4.1) */
export const GOING_AWAY = { code: 1001, reason: 'Server is going away' };

/**
 * Which worker owns a session.
 *
 * @param {string} sessionId
 * @param {number} count
 * @returns {number} from 0 to count - 1
 * @example ownerOf('abcdefgh', 1) // 0
 */
export function ownerOf(sessionId, count) {
  return crc32(sessionId) % count;
}

/**
 * The port at which one worker alone listens, on the loopback interface: for the proxy in front, for metrics, and for the
 * other workers.
 *
 * @param {Workers} workers
 * @param {number} [index]
 */
export function ownPortOf({ index: own, firstPort }, index = own) {
  return firstPort + index;
}

/**
 * Who comes in at the own port was sent here on purpose: by another worker, or by a proxy that keeps a session's requests
 * together by itself.
 *
 * @param {IncomingMessage} req
 * @param {Workers} workers
 */
export function isAtOwnPort({ socket }, workers) {
  return socket.localPort === ownPortOf(workers);
}

/**
 * A proxy says for whom it asks; a worker asks for itself, from this machine.
 *
 * @param {IncomingMessage} req
 * @param {Workers} workers
 */
export function isFromWorker(req, workers) {
  const { headers, socket } = req;
  return (
    isAtOwnPort(req, workers) &&
    headers['x-forwarded-for'] === undefined &&
    loopback.includes(socket.remoteAddress ?? '')
  );
}
