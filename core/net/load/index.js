/**
 * Large transfers that load a path while something else is timed: over HTTP, or over a WebSocket that also takes small
 * messages. All go to the endpoints of payload, whose limits hold for them.
 * @typedef {'down' | 'up'} LoadDirection
 * @typedef {object} LoadOptions of one transfer
 * @property {number} bytes
 * @property {() => void} onFirst is called when the receiver's first byte is known to the page; for an upload when it
 *   begins to send
 * @property {AbortSignal} signal ends it, with its reason
 * @typedef {{ chunkBytes: number, isEnough: () => boolean }} ChunkOptions `isEnough`: after some chunks, is no further one to be sent?
 * @typedef {object} LoadSocket a WebSocket that carries a load, and small messages beside it
 * @property {string} protocol
 * @property {(message: { index: number, signal: AbortSignal }) => Promise<void>} exchange sends a small message in the
 *   direction of the load, and resolves at its answer; messages may overlap
 * @property {(options: LoadOptions & ChunkOptions) => Promise<number>} transfer resolves when the last byte is known to have
 *   arrived, to the number of bytes; a chunk of all bytes is one message
 * @property {() => number} unsentBytes that the page has handed over but not sent
 * @property {() => void} close
 * @typedef {object} Loads
 * @property {(direction: LoadDirection, options: { signal: AbortSignal }) => Promise<LoadSocket>} open
 * @property {(direction: LoadDirection, options: LoadOptions & { count: number }) => Promise<void>} request transfers by
 *   `count` requests at once, each a part of the bytes
 * @typedef {{ baseUrl: string, maxBytes: number, WebSocket?: new (url: string) => WebSocket, fetch?: typeof
 *   globalThis.fetch }} LoadsOptions `baseUrl` of the server, http(s); `maxBytes` of an upload
 */
import { createContent } from '../transfer/content.js';
import { transferByRequests } from './http.js';
import { openLoadSocket } from './socket.js';

/** Of the sockets: it carries what is binary, and says how much is not sent yet. */
const KIND = 'websocket';

/** All rejections are ExchangeErrors, or the signal's reason. @param {LoadsOptions} options @returns {Loads} */
export function createLoads({ baseUrl, maxBytes, WebSocket = globalThis.WebSocket, fetch = globalThis.fetch }) {
  // It is made before anything is timed.
  const content = createContent(maxBytes);
  return {
    open: (direction, { signal }) =>
      openLoadSocket({ kind: KIND, library: WebSocket, baseUrl, direction, content, signal }),
    request: (direction, options) => transferByRequests({ ...options, fetch, baseUrl, direction, content }),
  };
}
