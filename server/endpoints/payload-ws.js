/**
 * `/payload/ws/up`, `/payload/ws/down` and `/payload/ws/echo`: messages of up to 16 MiB over native WebSockets, text or
 * bytes.
 */
import { DIRECTIONS } from '../payload/answers.js';
import { MessageQueue } from '../payload/message-queue.js';
import { answerUpgradeRequired, createWebSockets } from './web-socket.js';

/**
 * @import { Socket } from 'node:net'
 * @import { WebSocket } from 'ws'
 * @import { Endpoint } from '../http/gate.js'
 * @import { Direction } from '../payload/answers.js'
 * @import { PayloadParts } from '../parts.js'
 */

const PREFIX = '/payload/ws/';
const TRANSPORT = 'payload ws';

/** @param {PayloadParts} parts @returns {{ endpoints: Map<string, Endpoint>, closeAll(): void }} by path */
export function createPayloadWs(parts) {
  const { open, closeAll } = createWebSockets(parts.limits.payloadBytes);
  /** @param {Direction} direction @returns {[path: string, Endpoint]} */
  const entryOf = (direction) => [
    PREFIX + direction,
    {
      methods: ['GET'],
      sessions: 'payload',
      answer: answerUpgradeRequired,
      upgrade: (req, socket) =>
        open(req, socket, (client) => converse(client, /** @type {Socket} */ (socket), direction, parts)),
    },
  ];
  return { endpoints: new Map(DIRECTIONS.map(entryOf)), closeAll };
}

/** @param {WebSocket} client @param {Socket} socket that it is on @param {Direction} direction @param {PayloadParts} parts */
function converse(client, socket, direction, parts) {
  const { answers, gate, limits, metrics, traffic } = parts;
  gate.sessionOpened(TRANSPORT, 'payload');
  client.on('close', () => gate.sessionClosed(TRANSPORT, 'payload'));
  // No WebSocket pings: a client could not answer one while it sends a large message. TCP keep-alive is enough.
  socket.setKeepAlive(true, limits.heartbeatMs);
  const queue = new MessageQueue({ ...parts, socket, mostBytes: answers.mostBytesOf(direction), library: client });
  // The library closes the socket itself, with the code that fits.
  client.on('error', () => queue.end());
  client.on('message', (data, isBinary) => {
    const message = /** @type {Buffer} */ (data);
    traffic.messageReceived(undefined);
    queue.add(message.length, () => {
      const { bytes = 0, make } = answers.toMessage(direction, message, isBinary);
      if (!queue.mayAnswer(bytes)) return;
      const answer = make();
      metrics.echoAnswered(TRANSPORT, answer.code);
      client.send(answer.message, { binary: answer.isBinary });
    });
  });
}
