/**
 * Payload over sockets. Native WebSockets carry messages of up to 16 MiB, text or binary, at `/payload/ws/up`, `down` and
 * `echo`. SockJS carries text at `/payload/sockjs?direction=up`, `down` or `echo`, of up to 1 MiB over a fallback. Socket.IO
 * does the same at `/payload/socket.io`, but its library has a limit of its own for what clients send.
 */
import { RefusalError, pathOf, queryOf } from '../http/exchange.js';
import { payloadLimits } from '../sockets/limits.js';
import { MessageQueue } from '../sockets/message-queue.js';
import { DIRECTIONS, failed } from './payload.js';
import { createSocketio } from './socketio.js';
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
/** The size of the frame that SockJS's clients put around a text: `["..."]`. */
const SOCKJS_FRAMING_BYTES = 4;
/** The size of the packet that Socket.IO's clients put around a text: `42["message","..."]`. */
const SOCKETIO_FRAMING_BYTES = 16;
/** Matches a WebSocket without SockJS's frames, which is refused here; there is `/payload/ws` for it. */
const RAW_PATH = new RegExp(`^${PREFIX}/websocket/?$`);

/**
 * Creates the endpoint of one direction over native WebSockets.
 * @param {EndpointParts} parts @param {Direction} direction
 */
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
      if (answer.announcement) client.send(answer.announcement);
      client.send(answer.message, { binary: Boolean(answer.isBinary) });
    });
  });
}

/** The direction is in the query of its URL, which the client always repeats. @param {EndpointParts} parts */
export function createSockjsPayload(parts) {
  const { limits } = parts;
  return createSockjs({
    ...parts,
    limits: { ...payloadLimits(limits), messageBytes: limits.payloadBytes + SOCKJS_FRAMING_BYTES },
    // Its library drops a client whose pong does not arrive within 10 s, though it may be queued behind a large message.
    heartbeatMs: limits.requestMs,
    prefix: PREFIX,
    query: 'direction=echo',
    sessions: 'payload',
    nameOf: (protocol) => `payload sockjs ${protocol}`,
    look(req) {
      if (!IFRAME_PATH.test(pathOf(req))) checkRequest(req);
    },
    converse: createConverse(parts, SOCKJS_FRAMING_BYTES),
  });
}

/** The direction is in the query of its URL, which the client always repeats. @param {EndpointParts} parts */
export function createSocketioPayload(parts) {
  const { limits } = parts;
  return createSocketio({
    ...parts,
    limits: { ...payloadLimits(limits), messageBytes: limits.payloadBytes + SOCKETIO_FRAMING_BYTES },
    // A pong may be queued behind a large message, as with SockJS.
    heartbeatMs: limits.requestMs,
    path: '/payload/socket.io',
    name: 'payload socketio',
    query: 'direction=echo',
    sessions: 'payload',
    look: checkRequest,
    converse: createConverse(parts, SOCKETIO_FRAMING_BYTES),
  });
}

/** @param {EndpointParts} parts @param {number} framingBytes of a message @returns {Converse} */
function createConverse(parts, framingBytes) {
  const { answers, limits, metrics, traffic } = parts;
  return (session) => {
    const { transport, say, close } = session;
    const direction = checkRequest(session);
    const maxBytes = answers.maxBytesOf(direction) + framingBytes;
    /** @type {MessageQueue | undefined} absent over a fallback */
    let queue;
    const findQueue = () => (queue ??= session.socket && openQueue(parts, { socket: session.socket, close, maxBytes }));
    findQueue();
    const hold = (/** @type {number} */ bytes) => queue?.hold(bytes) ?? true;
    /** @param {unknown} message frames contain any JSON */
    const answerTo = (message) => {
      const maxTextBytes = queue ? limits.payloadBytes : limits.messageBytes;
      return typeof message === 'string'
        ? answers.answer(direction, message, { maxTextBytes, hold })
        : failed('bad-message', 'message: expected text, got a value that is not a string');
    };

    return {
      onMessage(message) {
        const respond = () => {
          const answer = answerTo(message);
          if (!answer) return;
          metrics.echoAnswered(transport, answer.code);
          say(typeof answer.message === 'string' ? answer.message : answer.message.toString('latin1'));
        };
        traffic.messageReceived();
        // A session of Socket.IO may have got its WebSocket since.
        findQueue();
        if (queue) queue.add(typeof message === 'string' ? Buffer.byteLength(message) : 0, respond);
        else respond();
      },
      onTooMany: queue && (() => queue?.refuseMany()),
    };
  };
}

/**
 * Opens a queue for a library's WebSocket. @param {EndpointParts} parts
 * @param {{ socket: Socket, maxBytes: number, close: Library['close'] }} options `maxBytes`: of a message with its framing
 */
function openQueue(parts, { socket, close, maxBytes }) {
  const library = { pause: () => socket.pause(), resume: () => socket.resume(), close };
  return new MessageQueue({ ...parts, socket, maxBytes, library });
}

/** Returns the direction that a request names. @param {{ url?: string }} req @throws {RefusalError} */
function checkRequest(req) {
  const asked = new URLSearchParams(queryOf(req)).getAll('direction');
  const direction = DIRECTIONS.find((one) => asked.length === 1 && one === asked[0]);
  if (!direction) throw new RefusalError('bad-field', `direction: expected ${DIRECTIONS.join(' or ')}`);
  if (!RAW_PATH.test(pathOf(req))) return direction;
  throw new RefusalError('not-found', 'path: expected a SockJS path with a session, or /payload/ws', 404);
}
