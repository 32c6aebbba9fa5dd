/**
 * `/ws`: the count-down of 2019 over a native WebSocket. The count comes back one lower; a ping is answered with a
 * pong.
 */
import { answerUpgradeRequired, createWebSockets, holdOpen } from './web-socket.js';

/**
 * @import { Endpoint } from '../http/gate.js'
 * @import { Parts } from '../parts.js'
 */

/**
 * @param {Pick<Parts, 'countDown' | 'gate' | 'limits' | 'metrics'>} parts
 * @returns {Endpoint & { closeAll(): void }}
 */
export function createWs({ countDown, gate, limits, metrics }) {
  const { open, closeAll } = createWebSockets(limits.messageBytes);

  /** @param {unknown} message */
  const answerTo = (message) => {
    if (message === 'ping') {
      metrics.pingAnswered();
      return 'pong';
    }
    const { body, code } = countDown.fromText(message);
    metrics.echoAnswered('ws', code);
    return body;
  };

  return {
    methods: ['GET'],
    answer: answerUpgradeRequired,
    upgrade: (req, socket) =>
      open(req, socket, (client) => {
        holdOpen(client, { gate, limits }, 'ws');
        client.on('message', (message, isBinary) => client.send(answerTo(isBinary ? message : message.toString())));
      }),
    closeAll,
  };
}
