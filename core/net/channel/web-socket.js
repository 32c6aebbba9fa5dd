/** The kind of a native WebSocket. */
import { WEBSOCKET } from '../protocols.js';
import { construct } from './channel.js';

/** @import { Kind } from './index.js' */

/** @type {Kind} */
export const webSocket = {
  name: 'websocket',
  label: 'WebSocket',
  paths: { echo: '/ws/echo', payload: '/payload/ws', jobs: '/ws/jobs', feed: '/ws/feed', stream: '/ws/pieces' },
  library: 'WebSocket',
  protocols: WEBSOCKET,
  isSocket: true,
  carries: ['text', 'binary'],
};

/**
 * Begins to connect. What is binary comes as an ArrayBuffer: Blobs, the default, would have to be read first.
 * @param {(new (url: string) => WebSocket) | undefined} WebSocket absent where the platform has it
 * @param {string} url http(s) @throws {ExchangeError} where it is forbidden
 */
export function openWebSocket(WebSocket = globalThis.WebSocket, url) {
  // Not all browsers take an http URL yet: https://developer.mozilla.org/docs/Web/API/WebSocket/WebSocket#url
  const socket = construct(() => new WebSocket(url.replace(/^http/, 'ws')));
  socket.binaryType = 'arraybuffer';
  return socket;
}
