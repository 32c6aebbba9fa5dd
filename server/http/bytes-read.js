/**
 * @import { Socket } from 'node:net'
 * @import { Duplex } from 'node:stream'
 */

/** How many bytes a request was: a connection counts for all its life, and is kept for the requests of many runs. */
const MARK = Symbol('bytes that were read when this was last asked');

/**
 * What was read on a connection since this was asked last. Who wants to know what one request was asks when it arrives,
 * which leaves out all before, and again when its body is in.
 *
 * @param {Duplex} socket
 * @returns {number} heads and frames included; beneath TLS, where there is TLS
 */
export function bytesReadSince(socket) {
  const marked = /** @type {Socket & { [MARK]?: number }} */ (socket);
  const total = marked.bytesRead;
  const since = total - (marked[MARK] ?? 0);
  marked[MARK] = total;
  return since;
}
