/**
 * A WebSocket per job, as in 2018: opening it makes the job, its one message tells of it, then the server closes it.
 */
import { abortable } from '../../base/abortable.js';
import { ExchangeError } from '../exchange-error.js';
import { toClosed } from '../echo/socket-transport.js';
import { parseDone, parseJobAnswer, queryOf } from './job-answer.js';
import { createOpenSockets } from './open-sockets.js';

/** @import { WayOptions, WayUser } from './index.js' */

/** @param {WayOptions} options @returns {WayUser} */
export function createSocketPerJob({ client, run, now, timers = globalThis }) {
  const sockets = createOpenSockets(timers);
  let requestCount = 0;
  /** @type {string | undefined} */
  let protocol;

  return {
    follow: (job, { signal, onCreated } = {}) =>
      abortable(signal, (resolve, reject) => {
        const sentAtMs = now();
        let createdAtMs = NaN;
        const socket = client.openSocket(`/ws/job?${queryOf(job, run)}`);
        requestCount++;
        sockets.add(socket);
        socket.onopen = () => {
          createdAtMs = now();
          protocol = 'websocket';
          onCreated?.(createdAtMs);
        };
        socket.onmessage = ({ data }) => {
          const toldAtMs = now();
          try {
            resolve({ sentAtMs, createdAtMs, toldAtMs, ...parseDone(parseJobAnswer(data), job), pollCount: 0 });
          } catch (error) {
            reject(error);
          }
        };
        socket.onclose = (event) => {
          sockets.delete(socket);
          reject(toClosed(event));
        };
        // Where its policy forbids the address, Chromium tells of an error and of no close.
        socket.onerror = () => {
          if (!Number.isNaN(createdAtMs)) return;
          sockets.delete(socket);
          reject(new ExchangeError('closed', 'The connection could not be opened.'));
        };
        return () => socket.close();
      }),
    get protocol() {
      return protocol;
    },
    get requestCount() {
      return requestCount;
    },
    async close() {
      await sockets.close();
      client.close();
    },
  };
}
