/**
 * `/ws`: the count-down of 2019 over a native WebSocket. The count comes back one lower; a ping is answered with a
 * pong.
 */
import { WebSocketServer } from 'ws';
import { NO_BODY } from '../http/body.js';
import { keepAlive } from '../sockets/keep-alive.js';
import { GOING_AWAY } from '../cluster/workers.js';
import { answerUpgradeRequired } from './upgrade-required.js';

/**
 * @import { Echo } from '../echo/echo.js'
 * @import { Endpoint, Gate } from '../http/gate.js'
 * @import { Limits } from '../http/limits.js'
 * @import { Metrics } from '../telemetry/metrics.js'
 */

/**
 * @param {object} options
 * @param {Echo} options.countDown
 * @param {Gate} options.gate
 * @param {Limits} options.limits
 * @param {Metrics} options.metrics
 * @returns {Endpoint & { closeAll(): void }}
 */
export function createWs({ countDown, gate, limits, metrics }) {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: limits.messageBytes,
    perMessageDeflate: false,
  });

  server.on('connection', (socket) => {
    const heartbeat = keepAlive(socket, limits.heartbeatMs);
    gate.sessionOpened('ws');
    socket.on('close', () => {
      clearInterval(heartbeat);
      gate.sessionClosed('ws');
    });
    // The library closes the socket itself, with the code that fits.
    socket.on('error', () => {});
    socket.on('message', (message, isBinary) => {
      socket.send(answerTo(isBinary ? message : message.toString()));
    });
  });

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
    upgrade(req, socket) {
      server.handleUpgrade(req, socket, NO_BODY, (client) => server.emit('connection', client));
    },
    closeAll() {
      for (const client of server.clients) client.close(GOING_AWAY.code, GOING_AWAY.reason);
    },
  };
}
