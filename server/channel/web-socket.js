/** Native WebSockets, each at its own path. */
import { WebSocketServer } from 'ws';
import { GOING_AWAY } from '../workers.js';
import { guard, guardEmitter } from '../http/boundary.js';
import { answerError } from '../http/exchange.js';
import { NO_BODY } from '../http/body.js';

/**
 * @import { WebSocket } from 'ws'
 * @import { Duplex } from 'node:stream'
 * @import { Socket } from 'node:net'
 * @import { IncomingMessage as Request } from 'node:http'
 * @import { Endpoint } from '../http/gate.js'
 * @import { Limits } from '../http/limits.js'
 * @import { VisitorOf } from '../workers.js'
 * @import { Adapter, Protocol, Speaker } from './index.js'
 * @typedef {object} WebSockets
 * @property {(req: Request, socket: Duplex, use: (client: WebSocket) => void) => void} open
 * @property {() => void} closeAll tells every client that this worker goes away
 */

/** Lets clients converse over native WebSockets at a path. @type {Adapter} */
export function acceptWebSocket(parts, protocol, { path, name }) {
  const { limits, query, sessions, look } = protocol;
  const sockets = createWebSockets(limits);
  /** @type {Endpoint} */
  const endpoint = {
    methods: ['GET'],
    sessions,
    answer: answerUpgradeRequired,
    upgrade: {
      limits,
      open(req, socket, requestBytes) {
        const looked = look?.(req, { requestBytes });
        sockets.open(req, socket, (client) => {
          const speaker = speakerOf(client, { req, socket, name, visitorOf: parts.visitorOf });
          // A client could not answer a ping while it sends a long message. TCP keep-alive is enough.
          if (protocol.hasLongMessages) speaker.socket.setKeepAlive(true, parts.limits.heartbeatMs);
          else beat(client, parts.limits);
          client.on('close', parts.gate.openSession(name));
          listen(client, protocol, speaker, looked);
        });
      },
    },
  };
  return {
    examples: [{ pattern: query === undefined ? path : `${path}?${query}` }],
    endpointAt: (asked) => (asked === path ? endpoint : undefined),
    closeAll: sockets.closeAll,
  };
}

/**
 * @param {WebSocket} client
 * @param {{ req: Request, socket: Duplex, name: string, visitorOf: VisitorOf }} opened
 */
const speakerOf = (client, { req, socket, name, visitorOf }) => ({
  transport: name,
  url: req.url ?? '',
  visitor: visitorOf(req),
  socket: /** @type {Socket} */ (socket),
  flow: client,
  say: (/** @type {string} */ text) => client.send(text),
  sayBytes: (/** @type {Buffer | string} */ message, /** @type {boolean} */ isBinary) =>
    client.send(message, { binary: isBinary }),
  close: (/** @type {number} */ code, /** @type {string} */ reason) => client.close(code, reason),
  goAway: () => client.close(GOING_AWAY.code, GOING_AWAY.reason),
});

/** @param {WebSocket} client @param {Protocol} protocol @param {Speaker} speaker @param {any} looked */
function listen(client, { converse, delayAnswer }, speaker, looked) {
  const { onMessage, onBytes, onEnd, onError = IGNORE } = converse(speaker, looked);
  const hear = delayAnswer ? (/** @type {unknown} */ message) => delayAnswer(() => onMessage(message)) : onMessage;
  if (onBytes) client.on('message', (data, isBinary) => onBytes(/** @type {Buffer} */ (data), isBinary));
  else client.on('message', (data, isBinary) => hear(isBinary ? data : data.toString()));
  client.on('error', onError);
  if (onEnd) client.on('close', onEnd);
}

/**
 * The library has the same limits as the meter in front of it, which closes first, logs and counts, in case the meter
 * has a bug. Events stay synchronous, as the meter shares out the turns: with one message per turn, several messages in
 * flight take about 1.8 times the CPU time.
 * @param {{ messageBytes: number, partCount: number, packetCount: number }} limits
 * @returns {WebSockets}
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
    open(req, socket, use) {
      server.handleUpgrade(req, socket, NO_BODY, (client) => {
        guardEmitter(client, client);
        use(client);
      });
    },

    closeAll() {
      for (const client of server.clients) client.close(GOING_AWAY.code, GOING_AWAY.reason);
    },
  };
}

/** The library closes the WebSocket by itself, with the code that fits. */
export const IGNORE = () => {};

/**
 * Pings a client, so that one that vanished without a close does not stay connected forever.
 * @param {WebSocket} client @param {Limits} limits
 */
function beat(client, { heartbeatMs }) {
  let answered = true;
  client.on('pong', () => (answered = true));
  const ping = guard(client, () => {
    if (answered) client.ping();
    else client.terminate();
    answered = false;
  });
  const heartbeat = setInterval(ping, heartbeatMs).unref();
  client.on('close', () => clearInterval(heartbeat));
}

/** Answers a plain request to an endpoint that only accepts WebSockets. @type {Endpoint['answer']} */
export function answerUpgradeRequired(_req, res) {
  res.setHeader('Upgrade', 'websocket');
  answerError(res, 426, 'upgrade-required', 'Upgrade: expected websocket');
}
