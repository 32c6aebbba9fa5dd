/**
 * Native WebSockets: `/ws/echo`, which echoes; and `/ws`, the count-down of 2019: a count comes back one lower; a ping is
 * answered with a pong.
 */
import { WebSocketServer } from 'ws';
import { GOING_AWAY } from '../workers.js';
import { guard, guardEmitter } from '../http/boundary.js';
import { answerError } from '../http/exchange.js';
import { NO_BODY } from '../http/body.js';

/**
 * @import { WebSocket } from 'ws'
 * @import { Duplex } from 'node:stream'
 * @import { Endpoint, Gate, SessionKind } from '../http/gate.js'
 * @import { IncomingMessage as Request } from 'node:http'
 * @import { DelayAnswer } from '../app.js'
 * @import { Limits } from '../http/limits.js'
 * @import { SocketLimits } from '../sockets/socket-meter.js'
 * @import { Metrics } from '../telemetry/metrics.js'
 * @import { Echo } from './echo.js'
 * @typedef {ReturnType<typeof createWebSockets>} WebSockets
 * @typedef {{ gate: Gate, limits: Limits, metrics: Metrics }} EchoParts
 */

/**
 * The library has the same limits as the meter in front of it, which closes first, logs and counts, in case the meter
 * has a bug. Events stay synchronous, as the meter shares out the turns: with one message per turn, several messages in
 * flight take about 1.8 times the CPU time.
 * @param {{ messageBytes: number, partCount: number, packetCount: number }} limits
 */
export function createWebSockets({ messageBytes, partCount, packetCount }) {
  const server = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: messageBytes,
    maxFragments: partCount,
    maxBufferedChunks: packetCount,
  });
  return {
    /** @param {Request} req @param {Duplex} socket @param {(client: WebSocket) => void} use */
    open(req, socket, use) {
      server.handleUpgrade(req, socket, NO_BODY, (client) => {
        guardEmitter(client, client);
        use(client);
      });
    },

    /** Tells every client that this worker goes away. */
    closeAll() {
      for (const client of server.clients) client.close(GOING_AWAY.code, GOING_AWAY.reason);
    },
  };
}

/** The library closes the WebSocket by itself, with the code that fits. */
export const IGNORE = () => {};

/**
 * Counts a session until it is closed, and pings it, so that a peer that vanished without a close does not stay
 * connected forever.
 * @param {WebSocket} client @param {{ gate: Gate, limits: Limits }} parts @param {string} transport
 */
export function holdOpen(client, { gate, limits }, transport) {
  let answered = true;
  client.on('pong', () => (answered = true));
  const beat = guard(client, () => {
    if (answered) client.ping();
    else client.terminate();
    answered = false;
  });
  const heartbeat = setInterval(beat, limits.heartbeatMs).unref();
  client.on('close', () => clearInterval(heartbeat));
  client.on('close', gate.openSession(transport));
  client.on('error', IGNORE);
}

/**
 * @param {{ limits: SocketLimits, query?: string, sessions?: SessionKind, accept(req: Request, socket: Duplex,
 *   requestBytes: number): (client: WebSocket) => void }} options `query`: of a valid request; `accept` gives what uses the
 *   WebSocket, or throws a RefusalError
 * @returns {Endpoint}
 */
export function createSocketEndpoint({ limits, query, sessions, accept }) {
  const { open, closeAll } = createWebSockets(limits);
  return {
    methods: ['GET'],
    query,
    sessions,
    answer: answerUpgradeRequired,
    upgrade: { limits, open: (req, socket, requestBytes) => open(req, socket, accept(req, socket, requestBytes)) },
    closeAll,
  };
}

/** Answers a plain request to an endpoint that only accepts WebSockets. @type {Endpoint['answer']} */
export function answerUpgradeRequired(_req, res) {
  res.setHeader('Upgrade', 'websocket');
  answerError(res, 426, 'upgrade-required', 'Upgrade: expected websocket');
}

/** @param {EchoParts & { echo: Echo, delayAnswer?: DelayAnswer }} parts */
export function createWsEcho({ echo, delayAnswer = (answer) => answer(), ...parts }) {
  const transport = 'ws echo';
  return createAnsweringSocket(parts, transport, (message, send) => {
    const { body, code } = echo.fromText(message);
    parts.metrics.socketEchoAnswered(transport, code);
    delayAnswer(() => send(body));
  });
}

/** @param {EchoParts & { countDown: Echo }} parts */
export function createWs({ countDown, ...parts }) {
  const transport = 'ws';
  return createAnsweringSocket(parts, transport, (message, send) => {
    if (message === 'ping') {
      parts.metrics.pingAnswered();
      send('pong');
      return;
    }
    const { body, code } = countDown.fromText(message);
    parts.metrics.socketEchoAnswered(transport, code);
    send(body);
  });
}

/**
 * @param {EchoParts} parts @param {string} transport as it is counted
 * @param {(message: unknown, send: (text: string) => void) => void} answer gets a text, or what is none
 */
function createAnsweringSocket({ gate, limits }, transport, answer) {
  return createSocketEndpoint({
    limits,
    accept: () => (client) => {
      holdOpen(client, { gate, limits }, transport);
      const send = (/** @type {string} */ text) => client.send(text);
      client.on('message', (message, isBinary) => answer(isBinary ? message : message.toString(), send));
    },
  });
}
