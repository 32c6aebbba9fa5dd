/**
 * Payload over any connection that lasts: messages of up to 16 MiB, text or binary; over a library, text, of up to 1 MiB where
 * it goes over several requests. Socket.IO's library has a limit of its own for what clients send.
 */
import { RefusalError, queryOf } from '../http/exchange.js';
import { payloadLimits } from '../sockets/limits.js';
import { MessageQueue } from '../sockets/message-queue.js';
import { DIRECTIONS, failed } from './payload.js';

/**
 * @import { Socket } from 'node:net'
 * @import { Conversation, Protocol, ProtocolOverOne, Speaker } from '../channel/index.js'
 * @import { EndpointParts } from '../parts.js'
 * @import { Answer, Direction } from './payload.js'
 */

/** Of a kind that takes messages without the frames of a library; it has a path for each direction. */
const UNFRAMED_KIND = 'websocket';
const UNFRAMED_PATH = '/payload/ws';

/** The kinds that have a path for each direction. */
export const DIRECTED = Object.freeze([UNFRAMED_KIND]);

/**
 * The query of each URL, which a client always repeats, says in which direction messages go.
 * @param {EndpointParts} parts @returns {Protocol}
 */
export const createPayloadProtocol = (parts) => ({
  ...commonOf(parts),
  query: 'direction=echo',
  look(req, { isDocument }) {
    if (!isDocument) directionOf(req);
  },
  converse: (speaker) => converse(parts, speaker, directionOf(speaker)),
});

/** @param {EndpointParts} parts @param {Direction} direction of all its connections @returns {ProtocolOverOne} */
export const createDirectedPayloadProtocol = (parts, direction) => ({
  ...commonOf(parts),
  only: { kind: UNFRAMED_KIND, path: `${UNFRAMED_PATH}/${direction}`, name: 'payload ws' },
  converse: (speaker) => converse(parts, speaker, direction),
});

/** @param {EndpointParts} parts @returns {Omit<Protocol, 'converse'>} */
function commonOf(parts) {
  const limits = payloadLimits(parts.limits);
  return {
    limits,
    frameLimits: (framingBytes) => ({ ...limits, messageBytes: limits.messageBytes + framingBytes }),
    sessions: 'payload',
    hasLongMessages: true,
    unframedPath: UNFRAMED_PATH,
  };
}

/** @param {EndpointParts} parts @param {Speaker} speaker @param {Direction} direction @returns {Conversation} */
function converse(parts, speaker, direction) {
  const { answers, limits, metrics, traffic } = parts;
  const { transport, say, sayBytes, framingBytes = 0 } = speaker;
  const maxBytes = answers.maxBytesOf(direction) + framingBytes;
  /** @type {MessageQueue | undefined} absent while messages go over several requests */
  let queue;
  const findQueue = () => (queue ??= speaker.socket && openQueue(parts, speaker, speaker.socket, maxBytes));
  findQueue();
  const hold = (/** @type {number} */ bytes) => queue?.hold(bytes) ?? true;
  /** @param {number} bytes of a message @param {() => Answer | undefined} find @param {(answer: Answer) => void} tell */
  const add = (bytes, find, tell) => {
    const respond = () => {
      const answer = find();
      if (!answer) return;
      metrics.echoAnswered(transport, answer.code);
      tell(answer);
    };
    traffic.messageReceived();
    // A session may have got its WebSocket since.
    findQueue();
    if (queue) queue.add(bytes, respond);
    else respond();
  };
  /** @param {unknown} message frames contain any JSON */
  const answerTo = (message) => {
    const maxTextBytes = queue ? limits.payloadBytes : limits.messageBytes;
    return typeof message === 'string'
      ? answers.answer(direction, message, { maxTextBytes, hold })
      : failed('bad-message', 'message: expected text, got a value that is not a string');
  };
  const tellText = (/** @type {Answer} */ { message }) =>
    say(typeof message === 'string' ? message : message.toString('latin1'));
  const tellBytes = (/** @type {Answer} */ { message, isBinary = false, announcement }) => {
    if (announcement) say(announcement);
    sayBytes?.(message, isBinary);
  };

  return {
    onMessage: (message) =>
      add(typeof message === 'string' ? Buffer.byteLength(message) : 0, () => answerTo(message), tellText),
    onBytes:
      sayBytes &&
      ((message, isBinary) =>
        add(message.length, () => answers.answer(direction, message, { isBinary, hold }), tellBytes)),
    onError: () => queue?.end(),
    onTooMany: queue && (() => queue?.refuseMany()),
  };
}

/**
 * Opens a queue for a library's WebSocket.
 * @param {EndpointParts} parts @param {Speaker} speaker @param {Socket} socket @param {number} maxBytes of a message with its framing
 */
function openQueue(parts, { flow, close }, socket, maxBytes) {
  const reader = flow ?? socket;
  const library = { pause: () => reader.pause(), resume: () => reader.resume(), close };
  return new MessageQueue({ ...parts, socket, maxBytes, library });
}

/** Returns the direction that a request names. @param {{ url?: string }} req @returns {Direction} @throws {RefusalError} */
function directionOf(req) {
  const asked = new URLSearchParams(queryOf(req)).getAll('direction');
  const direction = DIRECTIONS.find((one) => asked.length === 1 && one === asked[0]);
  if (direction) return direction;
  throw new RefusalError('bad-field', `direction: expected ${DIRECTIONS.join(' or ')}`);
}
