import { abortable } from '../../base/abortable.js';
import { parseAnswer } from '../exchange-error.js';
import { parseDone } from './job-answer.js';
import { queryOf } from './requests.js';
import { createUserSockets } from './user-sockets.js';

/** @import { WayOptions, WayUser } from './index.js' */

/**
 * A WebSocket per job, as in 2018: opening it makes the job, its one message tells of it, then the server closes it.
 *
 * @param {WayOptions} options
 * @returns {WayUser}
 */
export function createSocketPerJob({ client, run, now, timers = globalThis }) {
  const sockets = createUserSockets(timers);

  /** @type {WayUser['follow']} */
  const follow = (job, { signal, onCreated } = {}) =>
    abortable(signal, (resolve, reject) => {
      const sentAtMs = now();
      let createdAtMs = NaN;
      const socket = client.openSocket(`/ws/job?${queryOf(job, run)}`);
      user.requestCount++;
      const onOpen = () => {
        createdAtMs = now();
        user.protocol = 'websocket';
        onCreated?.(createdAtMs);
      };
      sockets.add(socket, { onOpen, onEnd: reject });
      socket.onmessage = ({ data }) => {
        const toldAtMs = now();
        try {
          resolve({ sentAtMs, createdAtMs, toldAtMs, ...parseDone(parseAnswer(data), job), pollCount: 0 });
        } catch (error) {
          reject(error);
        }
      };
      return () => socket.close();
    });

  const user = {
    protocol: /** @type {string | undefined} */ (undefined),
    requestCount: 0,
    follow,
    async close() {
      await sockets.close();
      client.close();
    },
  };
  return user;
}
