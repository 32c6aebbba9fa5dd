/**
 * Payload over sockets: messages of up to 16 MiB over native WebSockets at `/payload/ws/up`, `down` and `echo`, text or
 * binary; and text over SockJS at `/payload/sockjs?direction=up`, `down` or `echo`, of up to 1 MiB over a fallback.
 */
import { RefusalError, pathOf, queryOf } from '../http/exchange.js';
import { payloadLimits, SOCKJS_FRAMING_BYTES } from '../sockets/list.js';
import { MessageQueue } from '../sockets/message-queue.js';
import { DIRECTIONS, failed } from './payload.js';
import { createSockjs } from './sockjs.js';
import { createSocketEndpoint } from './web-sockets.js';

/**
 * @import { WebSocket } from 'ws'
 * @import { EndpointParts } from '../parts.js'
 * @import { Socket } from 'node:net'
 * @import { Library } from '../sockets/message-queue.js'
 * @import { Converse } from '../sockets/sockjs-sessions.js'
 * @import { Direction } from './payload.js'
 */

const TRANSPORT = 'payload ws';
const PREFIX = '/payload/sockjs';
const IFRAME_PATH = /\/iframe[^/]*\.html$/;
/** Matches a WebSocket without SockJS's frames, which is refused here; there is `/payload/ws` for it. */
const RAW_PATH = new RegExp(`^${PREFIX}/websocket/?$`);

/** @param {EndpointParts} parts @param {Direction} direction */
export function createPayloadWs(parts, direction) {
  return createSocketEndpoint({
    limits: payloadLimits(parts.limits),
    sessions: 'payload',
    accept: (_req, socket) => (client) => converse(client, /** @type {Socket} */ (socket), direction, parts),
  });
}

/** @param {WebSocket} client @param {Socket} socket @param {Direction} direction @param {EndpointParts} parts */
function converse(client, socket, direction, parts) {
  const { answers, gate, limits, metrics, traffic } = parts;
  client.on('close', gate.openSession(TRANSPORT));
  // No WebSocket pings: a client could not answer one while it sends a large message. TCP keep-alive is enough.
  socket.setKeepAlive(true, limits.heartbeatMs);
  const queue = new MessageQueue({ ...parts, socket, maxBytes: answers.maxBytesOf(direction), library: client });
  client.on('error', () => queue.end());
  client.on('message', (data, isBinary) => {
    const message = /** @type {Buffer} */ (data);
    traffic.messageReceived();
    queue.add(message.length, () => {
      const answer = answers.answer(direction, message, { isBinary, hold: (bytes) => queue.hold(bytes) });
      if (!answer) return;
      metrics.echoAnswered(TRANSPORT, answer.code);
      client.send(answer.message, { binary: Boolean(answer.isBinary) });
    });
  });
}

/** The direction is in the query of its URL, which the client always repeats. @param {EndpointParts} parts */
export function createSockjsPayload(parts) {
  const { limits } = parts;
  return createSockjs({
    ...parts,
    limits: { ...limits, messageBytes: limits.payloadBytes + SOCKJS_FRAMING_BYTES },
    // Its library drops a client whose pong does not arrive within 10 s, though it may be queued behind a large message.
    heartbeatMs: limits.requestMs,
    prefix: PREFIX,
    query: 'direction=echo',
    sessions: 'payload',
    nameOf: (protocol) => `payload sockjs ${protocol}`,
    look(req) {
      if (!IFRAME_PATH.test(pathOf(req))) checkRequest(req);
    },
    converse: createConverse(parts),
  });
}

/** @param {EndpointParts} parts @returns {Converse} */
function createConverse(parts) {
  const { answers, limits, metrics, traffic } = parts;
  return ({ transport, url, socket, say, close }) => {
    const direction = checkRequest({ url });
    const queue = socket && openQueue(parts, { socket, close, maxBytes: answers.maxBytesOf(direction) });
    const maxTextBytes = queue ? limits.payloadBytes : limits.messageBytes;
    const hold = queue && ((/** @type {number} */ bytes) => queue.hold(bytes));
    /** @param {unknown} message SockJS's frames contain any JSON */
    const answerTo = (message) =>
      typeof message === 'string'
        ? answers.answer(direction, message, { maxTextBytes, hold })
        : failed('bad-message', 'message: expected text, got a value that is not a string');

    return {
      onMessage(message) {
        const respond = () => {
          const answer = answerTo(message);
          if (!answer) return;
          metrics.echoAnswered(transport, answer.code);
          say(typeof answer.message === 'string' ? answer.message : answer.message.toString('latin1'));
        };
        traffic.messageReceived();
        if (queue) queue.add(typeof message === 'string' ? Buffer.byteLength(message) : 0, respond);
        else respond();
      },
      onTooMany: queue && (() => queue.refuseMany()),
    };
  };
}

/**
 * Opens a queue for a WebSocket of SockJS. @param {EndpointParts} parts
 * @param {Pick<Library, 'close'> & { socket: Socket, maxBytes: number }} options `maxBytes`: of a message
 */
function openQueue(parts, { socket, close, maxBytes }) {
  const library = { pause: () => socket.pause(), resume: () => socket.resume(), close };
  return new MessageQueue({ ...parts, socket, maxBytes: maxBytes + SOCKJS_FRAMING_BYTES, library });
}

/** Returns the direction that a request names. @param {{ url?: string }} req @throws {RefusalError} */
function checkRequest(req) {
  const asked = new URLSearchParams(queryOf(req)).getAll('direction');
  const direction = DIRECTIONS.find((one) => asked.length === 1 && one === asked[0]);
  if (!direction) throw new RefusalError('bad-field', `direction: expected ${DIRECTIONS.join(' or ')}`);
  if (!RAW_PATH.test(pathOf(req))) return direction;
  throw new RefusalError('not-found', 'path: expected a SockJS path with a session, or /payload/ws', 404);
}
