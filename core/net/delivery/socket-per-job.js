import { abortable } from '../../base/async.js';
import { parseAnswer } from '../exchange-error.js';
import { parseDone } from './job-answer.js';
import { queryOf } from './requests.js';
import { createUserSockets } from './user-sockets.js';

/** @import { DeliveryOptions, DeliveryUser } from './index.js' */

/**
 * A WebSocket per job, as in 2018: opening it creates the job, its one message is the notification, then the server closes it.
 *
 * @param {DeliveryOptions} options
 * @returns {DeliveryUser}
 */
export function createSocketPerJob({ client, trialId, now, timers = globalThis }) {
  const sockets = createUserSockets(timers);

  /** @type {DeliveryUser['follow']} */
  const follow = (job, { signal, onCreated } = {}) =>
    abortable(signal, (resolve, reject) => {
      const sentAtMs = now();
      let createdAtMs = NaN;
      const socket = client.openSocket(`/ws/job?${queryOf(job, trialId)}`);
      user.requestCount++;
      const onOpen = () => {
        createdAtMs = now();
        user.protocol = 'websocket';
        onCreated?.(createdAtMs);
      };
      sockets.add(socket, { onOpen, onEnd: reject });
      socket.onmessage = ({ data }) => {
        const notifiedAtMs = now();
        try {
          resolve({ sentAtMs, createdAtMs, notifiedAtMs, ...parseDone(parseAnswer(data), job), pollCount: 0 });
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
