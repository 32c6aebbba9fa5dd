/**
 * The sessions that sockjs-node holds here, and what is said in each.
 */
import sockjs from 'sockjs';
import { countFraming } from './count-framing.js';
import { createSockjsLog } from './sockjs-log.js';
import { meterOf } from './socket-meter.js';
import { pathOf } from '../http/url.js';

/**
 * @import { IncomingMessage } from 'node:http'
 * @import { Socket } from 'node:net'
 * @import { Logger } from 'pino'
 * @import { Connection } from 'sockjs'
 * @import { PutOff } from '../app.js'
 * @import { Gate, SessionKind } from '../http/gate.js'
 * @import { Limits } from '../http/limits.js'
 * @import { Conversation } from '../jobs/conversation.js'
 */

const FALLBACK_PATH = /\/([^/.]+)\/[a-z_]+\/?$/;

/** Messages that a fallback may send in one request. Its client sends those that it was given while one was under way. */
const MESSAGES_AT_ONCE = 16 * 1024;
/** As many messages of text in a frame have two quotes and a comma each. */
const FRAMING_CHARACTERS = 3 * MESSAGES_AT_ONCE;

/** RFC 6455, section 7.4.1. */
const TOO_MANY = { code: 1008, reason: 'Too many messages at once' };

/**
 * @typedef {(req: IncomingMessage, res: object, head?: Buffer) => boolean} Handler answers what is its own, else gives
 *   false
 *
 * @typedef {object} Session
 * @property {string} transport as it is counted
 * @property {string} url of the request that opened it
 * @property {Socket} [socket] beneath; absent where it goes over several requests
 * @property {(text: string) => void} say
 * @property {(code: number, reason: string) => void} close
 *
 * @typedef {Conversation & { onTooMany?: () => void }} SessionConversation `onTooMany` closes the session, where more
 *   messages came at once than any client sends; absent: it is closed with 1008
 *
 * @typedef {(session: Session) => SessionConversation} Converse
 *
 * @typedef {object} Sessions
 * @property {Handler} handle
 * @property {(id: string) => boolean} isOpen for a session that goes over several requests
 * @property {(id: string, code: number, reason: string) => void} close the same
 * @property {(code: number, reason: string) => void} closeAll
 */

/**
 * @param {object} options
 * @param {string} options.prefix of their paths
 * @param {Converse} options.converse
 * @param {(protocol: string) => string} options.nameOf
 * @param {SessionKind} [options.sessions]
 * @param {number} [options.heartbeatMs] absent: sockjs-node's own 25 s
 * @param {Gate} options.gate
 * @param {Limits} options.limits
 * @param {string} options.sockjsUrl of our copy of sockjs-client, for its iframe
 * @param {Logger} options.log
 * @param {PutOff} [options.putOff]
 * @returns {Sessions}
 */
export function createSessions(options) {
  const { prefix, converse, nameOf, sessions, heartbeatMs = 25_000, gate, limits, sockjsUrl, log, putOff } = options;
  const server = sockjs.createServer({
    prefix,
    sockjs_url: sockjsUrl,
    heartbeat_delay: heartbeatMs,
    faye_server_options: { maxLength: limits.messageBytes },
    log: createSockjsLog(log),
  });
  /** @type {Map<Connection, () => void>} every open one, and what notes its end */
  const connections = new Map();
  /** @type {Map<string, Connection>} */
  const fallbacks = new Map();

  server.on('connection', (connection) => {
    const { protocol, url } = connection;
    const transport = nameOf(protocol);
    const fallbackId = isWebSocket(connection) ? undefined : FALLBACK_PATH.exec(pathOf(connection))?.[1];
    const openedAtMs = Date.now();
    let messageCount = 0;
    let unsentBytes = 0;
    let atOnceCount = 0;
    let isHearing = false;
    let isClosing = false;
    /** @param {number} code @param {string} reason */
    const close = (code, reason) => {
      if (isClosing) return;
      isClosing = true;
      // sockjs-node goes through the messages of a frame in a loop, in which a session that is gone is an uncaught error.
      if (isHearing) process.nextTick(closeWith, connection, code, reason);
      else closeWith(connection, code, reason);
    };
    /** @param {string} text */
    const say = (text) => {
      if (isClosing) return;
      connection.write(text);
      unsentBytes = isFlushed(connection) ? 0 : unsentBytes + text.length;
      if (unsentBytes > limits.unsentBytes) close(1008, 'Answers are not fetched');
    };
    const refuseMany = () => close(TOO_MANY.code, TOO_MANY.reason);
    const {
      onMessage,
      onEnd,
      onTooMany = refuseMany,
    } = converse({
      transport,
      url,
      socket: socketOf(connection),
      say,
      close,
    });
    /** @returns {boolean} whether a fallback's request holds more messages than it may, until here */
    const isTooMany = () => {
      if (atOnceCount === 0) setImmediate(() => (atOnceCount = 0));
      return ++atOnceCount > MESSAGES_AT_ONCE;
    };
    /** @param {string} message */
    const onData = (message) => {
      if (isClosing) return;
      messageCount++;
      isHearing = true;
      try {
        if (fallbackId && isTooMany()) onTooMany();
        else onMessage(message);
      } finally {
        isHearing = false;
      }
    };
    lookAtFrames(connection, limits.framesPerTurn, onTooMany);
    gate.sessionOpened(transport, sessions);
    const noteEnd = () => {
      if (!connections.delete(connection)) return;
      gate.sessionClosed(transport, sessions);
      onEnd?.();
      log.info({ transport: protocol, durationMs: Date.now() - openedAtMs, messageCount }, 'sockjs session');
    };
    connections.set(connection, noteEnd);
    if (fallbackId) fallbacks.set(fallbackId, connection);

    connection.on('close', () => {
      if (fallbackId) fallbacks.delete(fallbackId);
      noteEnd();
    });
    connection.on('data', putOff ? (message) => putOff(() => onData(message)) : onData);
  });

  return {
    handle: server.listener().getHandler(),
    isOpen: (id) => fallbacks.has(id),
    close: (id, code, reason) => fallbacks.get(id)?.close(code, reason),
    closeAll(code, reason) {
      for (const [connection, noteEnd] of connections) {
        closeWith(connection, code, reason);
        // sockjs-node itself says so only seconds later, when this process may have ended: until then it tells a
        // fallback that was between two polls, at its next.
        noteEnd();
      }
    },
  };
}

/**
 * @param {Connection} connection
 * @param {number} code
 * @param {string} reason
 */
function closeWith(connection, code, reason) {
  // A raw WebSocket has no frame for the code, and its library sends no other than 1000 by itself.
  if (connection.protocol === 'websocket-raw') connection.close();
  else connection.close(code, reason);
}

/** @param {Connection} connection */
function isWebSocket({ protocol }) {
  return protocol === 'websocket' || protocol === 'websocket-raw';
}

/**
 * There is no public way to ask for it.
 *
 * @param {Connection} connection
 * @returns {Socket | undefined}
 */
function socketOf(connection) {
  return isWebSocket(connection) ? /** @type {any} */ (connection)._session.recv?.connection : undefined;
}

/**
 * sockjs-node parses a frame that came over a WebSocket, and hands on all of its messages at once. There is no public way
 * to see it before. Too many are refused; what is more than a turn of the event loop has room for is handed on bit by bit.
 *
 * @param {Connection} connection
 * @param {number} messagesPerTurn
 * @param {() => void} onTooMany is called instead
 */
function lookAtFrames(connection, messagesPerTurn, onTooMany) {
  if (connection.protocol !== 'websocket') return;
  const { recv: receiver } = /** @type {any} */ (connection)._session;
  const meter = receiver && meterOf(receiver.connection);
  if (!meter) return;
  /** @type {(frame: string) => void} */
  const hear = receiver.didMessage.bind(receiver);
  receiver.didMessage = (/** @type {string | Buffer} */ received) => {
    const frame = received.toString();
    const framing = frame.length > 3 * messagesPerTurn ? countFraming(frame, FRAMING_CHARACTERS) : 0;
    if (framing > FRAMING_CHARACTERS) {
      onTooMany();
      return;
    }
    const pieces = framing > 3 * messagesPerTurn ? splitFrame(frame, messagesPerTurn) : [frame];
    if (pieces.length === 1 && !meter.hasTasks) hear(frame);
    else for (const piece of pieces) meter.doLater(() => hear(piece));
  };
}

/**
 * @param {string} frame of SockJS's
 * @param {number} count messages in a piece
 * @returns {string[]} frames with the same messages; the frame itself where it is no list
 */
function splitFrame(frame, count) {
  /** @type {unknown} */
  let messages;
  try {
    messages = JSON.parse(frame);
  } catch {
    return [frame];
  }
  if (!Array.isArray(messages) || !frame.startsWith('[')) return [frame];
  const pieces = [];
  for (let at = 0; at < messages.length; at += count) pieces.push(JSON.stringify(messages.slice(at, at + count)));
  return pieces;
}

/**
 * sockjs-node keeps what a fallback has not fetched yet in a list that it does not bound. It has no public way to ask.
 *
 * @param {Connection} connection
 */
function isFlushed(connection) {
  const { send_buffer: unsent } = /** @type {any} */ (connection)._session;
  return !unsent?.length;
}
