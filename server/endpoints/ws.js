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
 * @param {object} options
 * @param {import('../echo/echo.js').Echo} options.countDown
 * @param {import('../http/gate.js').Gate} options.gate
 * @param {import('../http/limits.js').Limits} options.limits
 * @param {import('../telemetry/metrics.js').Metrics} options.metrics
 * @returns {import('../http/gate.js').Endpoint & { closeAll(): void }}
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
