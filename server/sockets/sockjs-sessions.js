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
 * @import { Connection } from 'sockjs'
 * @import { SessionKind } from '../http/gate.js'
 * @import { Conversation } from '../jobs/conversation.js'
 * @import { Parts } from '../parts.js'
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
 * @typedef {object} OwnOptions
 * @property {string} prefix of their paths
 * @property {Converse} converse
 * @property {(protocol: string) => string} nameOf what a session over a protocol of SockJS's is called where sessions are
 *   counted
 * @property {SessionKind} [sessions] among which they count
 * @property {number} [heartbeatMs] how often each is asked whether it is still there; absent: sockjs-node's own 25 s
 *
 * @typedef {OwnOptions & Pick<Parts, 'gate' | 'limits' | 'log' | 'putOff' | 'sockjsUrl'>} SessionOptions
 */

/** @param {SessionOptions} options @returns {Sessions} */
export function createSessions(options) {
  const { prefix, heartbeatMs = 25_000, limits, sockjsUrl, log } = options;
  const server = sockjs.createServer({
    prefix,
    sockjs_url: sockjsUrl,
    heartbeat_delay: heartbeatMs,
    faye_server_options: { maxLength: limits.messageBytes },
    log: createSockjsLog(log),
  });
  /** @type {Set<OpenSession>} */
  const open = new Set();
  /** @type {Map<string, OpenSession>} */
  const fallbacks = new Map();

  server.on('connection', (connection) => {
    const session = new OpenSession(connection, options, () => open.delete(session));
    const { fallbackId } = session;
    open.add(session);
    if (fallbackId) fallbacks.set(fallbackId, session);
    connection.on('close', () => {
      if (fallbackId) fallbacks.delete(fallbackId);
      session.noteEnd();
    });
  });

  return {
    handle: server.listener().getHandler(),
    isOpen: (id) => fallbacks.has(id),
    close: (id, code, reason) => fallbacks.get(id)?.closeNow(code, reason),
    closeAll(code, reason) {
      for (const session of open) {
        session.closeNow(code, reason);
        // sockjs-node itself says so only seconds later, when this process may have ended: until then it tells a
        // fallback that was between two polls, at its next.
        session.noteEnd();
      }
    },
  };
}

class OpenSession {
  /** @type {string | undefined} absent where it is a WebSocket's */
  fallbackId;
  #connection;
  #options;
  #transport;
  #conversation;
  #forget;
  #openedAtMs = Date.now();
  #messageCount = 0;
  #unsentBytes = 0;
  /** Messages that a fallback's request has brought. */
  #atOnceCount = 0;
  #isHearing = false;
  #isClosing = false;

  /** @param {Connection} connection @param {SessionOptions} options @param {() => boolean} forget gives false after the first */
  constructor(connection, options, forget) {
    const { converse, gate, limits, nameOf, putOff, sessions } = options;
    this.fallbackId = isWebSocket(connection) ? undefined : FALLBACK_PATH.exec(pathOf(connection))?.[1];
    this.#connection = connection;
    this.#options = options;
    this.#transport = nameOf(connection.protocol);
    this.#forget = forget;
    /** @type {SessionConversation} */
    this.#conversation = converse({
      transport: this.#transport,
      url: connection.url,
      socket: socketOf(connection),
      say: (text) => this.#say(text),
      close: (code, reason) => this.#close(code, reason),
    });
    lookAtFrames(connection, limits.framesPerTurn, () => this.#refuseMany());
    gate.sessionOpened(this.#transport, sessions);
    connection.on('data', (message) => (putOff ? putOff(() => this.#hear(message)) : this.#hear(message)));
  }

  /** @param {number} code @param {string} reason */
  closeNow(code, reason) {
    // A raw WebSocket has no frame for the code, and its library sends no other than 1000 by itself.
    if (this.#connection.protocol === 'websocket-raw') this.#connection.close();
    else this.#connection.close(code, reason);
  }

  /** May be called again. */
  noteEnd() {
    if (!this.#forget()) return;
    const { gate, log, sessions } = this.#options;
    gate.sessionClosed(this.#transport, sessions);
    this.#conversation.onEnd?.();
    const durationMs = Date.now() - this.#openedAtMs;
    log.info({ transport: this.#connection.protocol, durationMs, messageCount: this.#messageCount }, 'sockjs session');
  }

  /** @param {string} message */
  #hear(message) {
    if (this.#isClosing) return;
    this.#messageCount++;
    this.#isHearing = true;
    try {
      if (this.fallbackId && this.#isTooMany()) this.#refuseMany();
      else this.#conversation.onMessage(message);
    } finally {
      this.#isHearing = false;
    }
  }

  /** @returns {boolean} whether a fallback's request holds more messages than it may, until here */
  #isTooMany() {
    if (this.#atOnceCount === 0) setImmediate(() => (this.#atOnceCount = 0));
    return ++this.#atOnceCount > MESSAGES_AT_ONCE;
  }

  #refuseMany() {
    if (this.#conversation.onTooMany) this.#conversation.onTooMany();
    else this.#close(TOO_MANY.code, TOO_MANY.reason);
  }

  /** @param {string} text */
  #say(text) {
    if (this.#isClosing) return;
    this.#connection.write(text);
    this.#unsentBytes = isFlushed(this.#connection) ? 0 : this.#unsentBytes + text.length;
    if (this.#unsentBytes > this.#options.limits.unsentBytes) this.#close(1008, 'Answers are not fetched');
  }

  /** @param {number} code @param {string} reason */
  #close(code, reason) {
    if (this.#isClosing) return;
    this.#isClosing = true;
    // sockjs-node goes through the messages of a frame in a loop, in which a session that is gone is an uncaught error.
    if (this.#isHearing) process.nextTick(() => this.closeNow(code, reason));
    else this.closeNow(code, reason);
  }
}

/** @param {Connection} connection */
function isWebSocket({ protocol }) {
  return protocol === 'websocket' || protocol === 'websocket-raw';
}

/** There is no public way to ask for it. @param {Connection} connection @returns {Socket | undefined} */
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

/** sockjs-node keeps what a fallback has not fetched yet in a list without bounds. @param {Connection} connection */
function isFlushed(connection) {
  const { send_buffer: unsent } = /** @type {any} */ (connection)._session;
  return !unsent?.length;
}
