/**
 * `/payload/ws/up`, `/payload/ws/down` and `/payload/ws/echo`: messages of up to 16 MiB over native WebSockets, text or
 * bytes.
 */
import { WebSocketServer } from 'ws';
import { NO_BODY } from '../http/body.js';
import { DIRECTIONS } from '../payload/answers.js';
import { createTurns } from '../payload/turns.js';
import { meterOf } from '../sockets/socket-meter.js';
import { GOING_AWAY } from '../cluster/workers.js';
import { answerUpgradeRequired } from './upgrade-required.js';

/**
 * @import { Socket } from 'node:net'
 * @import { Endpoint, Gate } from '../http/gate.js'
 * @import { Limits } from '../http/limits.js'
 * @import { Answers, Direction } from '../payload/answers.js'
 * @import { BytesInFlight } from '../payload/bytes-in-flight.js'
 * @import { SocketMeter } from '../sockets/socket-meter.js'
 * @import { Metrics } from '../telemetry/metrics.js'
 * @import { Traffic } from '../telemetry/traffic.js'
 */

const PREFIX = '/payload/ws/';
const TRANSPORT = 'payload ws';

/**
 * @param {object} options
 * @param {Answers} options.answers
 * @param {BytesInFlight} options.inFlight
 * @param {Gate} options.gate
 * @param {Limits} options.limits
 * @param {Metrics} options.metrics
 * @param {Traffic} options.traffic
 */
export function createPayloadWs({ answers, inFlight, gate, limits, metrics, traffic }) {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: limits.payloadBytes,
    perMessageDeflate: false,
  });

  /**
   * @param {import('ws').WebSocket} client
   * @param {Socket} socket that it is on
   * @param {Direction} direction
   */
  const converse = (client, socket, direction) => {
    gate.sessionOpened(TRANSPORT, 'payload');
    client.on('close', () => gate.sessionClosed(TRANSPORT, 'payload'));
    // Nobody is asked whether it is still there: it could not say so while its message is on the way. TCP asks.
    socket.setKeepAlive(true, limits.heartbeatMs);
    const turns = createTurns({
      socket,
      meter: /** @type {SocketMeter} */ (meterOf(socket)),
      inFlight,
      limits,
      mostBytes: answers.mostBytesOf(direction),
      library: {
        pause: () => client.pause(),
        resume: () => client.resume(),
        close: (code, reason) => client.close(code, reason),
      },
      refused: metrics.refused,
    });
    // The library closes the socket itself, with the code that fits.
    client.on('error', turns.end);
    client.on('message', (data, isBinary) => {
      const message = /** @type {Buffer} */ (data);
      traffic.messageReceived(undefined);
      turns.take(message.length, () => {
        const { bytes = 0, make } = answers.toMessage(direction, message, isBinary);
        if (!turns.mayAnswer(bytes)) return;
        const answer = make();
        metrics.echoAnswered(TRANSPORT, answer.code);
        client.send(answer.message, { binary: answer.isBinary });
      });
    });
  };

  const endpoints = new Map(
    DIRECTIONS.map((direction) => [
      PREFIX + direction,
      /** @type {Endpoint} */ ({
        methods: ['GET'],
        sessions: 'payload',
        answer: answerUpgradeRequired,
        upgrade(req, socket) {
          server.handleUpgrade(req, socket, NO_BODY, (client) =>
            converse(client, /** @type {Socket} */ (socket), direction),
          );
        },
      }),
    ]),
  );

  return {
    /** By path. */
    endpoints,

    closeAll() {
      for (const client of server.clients) client.close(GOING_AWAY.code, GOING_AWAY.reason);
    },
  };
}
