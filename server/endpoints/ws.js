/**
 * `/ws`: the count-down of 2019 over a native WebSocket. The count comes back one lower; a ping is answered with a
 * pong.
 */
import { WebSocketServer } from 'ws';
import { answerError } from '../answer.js';

/**
 * @param {object} options
 * @param {import('../echo.js').Echo} options.countDown
 * @param {import('../gate.js').Gate} options.gate
 * @param {import('../limits.js').Limits} options.limits
 * @returns {import('../gate.js').Endpoint & { closeAll(code: number, reason: string): void }}
 */
export function createWs({ countDown, gate, limits }) {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: limits.messageBytes,
    maxFragments: limits.fragmentCount,
    perMessageDeflate: false,
  });

  server.on('connection', (socket, { socket: connection }) => {
    const heartbeat = keepAlive(socket, limits.heartbeatMs);
    gate.sessionOpened();
    socket.on('close', () => {
      clearInterval(heartbeat);
      gate.sessionClosed();
    });
    // The library closes the socket itself, with the code that fits: 1009 for a message that is too large.
    socket.on('error', () => {});
    socket.on('message', (message, isBinary) => {
      socket.send(answerTo(isBinary ? message : message.toString()));
      if (socket.bufferedAmount > limits.unsentBytes) {
        // A client that does not read is not read from, either.
        socket.pause();
        connection.once('drain', () => socket.resume());
      }
    });
  });

  /** @param {unknown} message */
  const answerTo = (message) => (message === 'ping' ? 'pong' : countDown.fromText(message).body);

  return {
    methods: ['GET'],
    answer(_req, res) {
      res.setHeader('Upgrade', 'websocket');
      answerError(res, 426, 'upgrade-required', 'Upgrade: expected websocket');
    },
    upgrade(req, socket, head) {
      server.handleUpgrade(req, socket, head, (client) => server.emit('connection', client, req));
    },
    closeAll(code, reason) {
      for (const client of server.clients) client.close(code, reason);
    },
  };
}

/**
 * SockJS asks its sockets, too: a peer that vanished without a word must not be held for ever.
 *
 * @param {import('ws').WebSocket} socket
 * @param {number} intervalMs
 */
function keepAlive(socket, intervalMs) {
  let answered = true;
  socket.on('pong', () => {
    answered = true;
  });
  return setInterval(() => {
    if (!answered) {
      socket.terminate();
      return;
    }
    answered = false;
    socket.ping();
  }, intervalMs).unref();
}
