/** Opens sockets by the libraries that rows name, in the same manner for each. */
import { openSocketio } from './socketio.js';
import { openSockjs, openWebSocket } from './sockets.js';

/** @import { Socket } from './sockets.js' */

/** @type {Readonly<Record<string, (implementation: any, url: string) => Socket>>} */
const OPENERS = Object.freeze({
  WebSocket: openWebSocket,
  'sockjs-client': openSockjs,
  'socket.io-client': openSocketio,
});

/**
 * Begins to connect.
 * @param {string} library of a row @param {any} implementation that the platform has of it @param {string} url http(s)
 * @returns {Socket}
 */
export const openSocketBy = (library, implementation, url) => OPENERS[library](implementation, url);
