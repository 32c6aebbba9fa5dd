/**
 * A visitor for each kind of echo, who asks one message at a time, as a page does.
 */
import { setTimeout } from 'node:timers/promises';
import { openHttp } from '../connections/http.js';
import { openSockjs, openWs } from '../connections/web-socket.js';

/** @import { Connection } from '../connections/burst.js' */

/** Between two messages: a visitor who leaves none would be a load, too. */
const PAUSE_MS = 5;

/** @type {Record<string, (port: number) => Promise<Connection>>} */
export const VISITORS = { AJAX: openHttp, SockJS: openSockjs, WebSocket: openWs };

/**
 * @param {Connection} connection
 * @param {number} seconds
 * @returns {Promise<number[]>} ms of each echo; one that is still awaited at the end counts with what it took until then
 * @throws {Error} where the server closed the connection
 */
export async function visit(connection, seconds) {
  const endsAtMs = performance.now() + seconds * 1000;
  /** @type {number[]} */
  const latencies = [];
  for (let startedMs = performance.now(); startedMs < endsAtMs; startedMs = performance.now()) {
    const over = setTimeout(endsAtMs - startedMs, undefined, { ref: false });
    await Promise.race([connection.exchange(latencies.length), over]);
    latencies.push(performance.now() - startedMs);
    await setTimeout(PAUSE_MS);
  }
  return latencies;
}
