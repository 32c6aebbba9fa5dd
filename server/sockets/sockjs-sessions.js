/** Manages the sessions of sockjs-node: their messages, their limits, and sockjs-node's own log. */
import { randomUUID } from 'node:crypto';
import sockjs from 'sockjs';
import { FAULT } from './frames.js';
import { innerOf, lookAtFrames, sendValues } from './sockjs-frames.js';
import { reportClose } from './report-close.js';
import { meterOf } from './socket-meter.js';
import { createVisitors } from './session-visitors.js';
import { guard, guardEmitter } from '../http/boundary.js';
import { pathOf } from '../http/exchange.js';
import { GOING_AWAY } from '../workers.js';

/**
 * @import { IncomingMessage as Request } from 'node:http'
 * @import { Gate, SessionKind } from '../http/gate.js'
 * @import { Socket } from 'node:net'
 * @import { Logger } from 'pino'
 * @import { Connection } from 'sockjs'
 * @import { DelayAnswer } from '../app.js'
 * @import { Limits } from '../http/limits.js'
 * @import { VisitorOf } from '../workers.js'
 * @import { Admitted } from './session-visitors.js'
 *
 * @typedef {{ transport: string, url: string, visitor: string, socket?: Socket, keptBytes(): number, say(text: string): void, close(code: number,
 *   reason: string): void, goAway(): void }} Session `transport`: as it is counted; `url`: of the request that opened it; `visitor`: the
 *   address that this came from; `socket`: beneath, absent where it goes over several requests; `keptBytes`: what these have not fetched yet; `close` reports a fault of the
 *   client's; `goAway` closes it as for a deploy
 * @typedef {(session: Session) => { onMessage(message: unknown): void, onEnd?(): void, onTooMany?(): void }} Converse `onEnd`:
 *   nothing can be said any more; `onTooMany` closes the session, where more messages came at once than any client sends;
 *   absent: it is closed with 1008
 *
 * @typedef {{ prefix: string, converse: Converse, nameOf(protocol: string): string, sessions?: SessionKind, sendsValues?:
 *   boolean, heartbeatMs?: number, gate: Gate, limits: Limits, log: Logger, delayAnswer?: DelayAnswer, sockjsUrl: string,
 *   visitorOf: VisitorOf }} SessionOptions `prefix`:
 *   of their paths; `nameOf`: what a session over a protocol of SockJS's is counted as; `sessions`: among which; `sendsValues`:
 *   what is said is JSON, and goes into SockJS's frames as the value, else as text; `heartbeatMs`: how often each is asked
 *   whether it is still there, by default as all sessions
 * @typedef {Admitted & { url: string, fallbackId?: string }} Opener `url`: of the request; `fallbackId`: absent where it is a
 *   WebSocket's
 */

const FALLBACK_PATH = /\/([^/.]+)\/[a-z_]+\/?$/;
/** RFC 6455, section 7.4.1. */
const TOO_MANY = { code: 1008, reason: 'Too many messages at once' };
/** Matches errors that any client can cause with each request; the answer is 500, as the SockJS protocol specifies. */
const CLIENTS_FAULT = /^(?:Unsupported content-type |Exception on .* in filter "(?:xhr|jsonp)_send":)/;
export const LOG_EVERY_MS = 60_000;

/** @param {SessionOptions} options */
export function createSessions(options) {
  const { prefix, limits, heartbeatMs = limits.heartbeatMs, sockjsUrl, log } = options;
  const server = sockjs.createServer({
    prefix,
    sockjs_url: sockjsUrl,
    heartbeat_delay: heartbeatMs,
    faye_server_options: { maxLength: limits.messageBytes },
    log: createSockjsLog(log),
  });
  // sockjs-node keeps the sessions of all its servers together, by id.
  const ownName = `${randomUUID()}~`;
  const sessionUrl = new RegExp(`^${prefix}/[^/.?]+/(?=[^/.?]+/[a-z_]+/?(?:\\?|$))`);
  /** @type {Set<OpenSession>} */
  const open = new Set();
  /** @type {Map<string, OpenSession>} those that go over several requests, by id */
  const fallbacks = new Map();
  const visitors = createVisitors(options, options.sessions);

  /** @param {Connection} connection @returns {Opener} */
  const findOpener = (connection) => {
    const url = connection.url.replace(ownName, '');
    if (isWebSocket(connection)) return { url, ...visitors.take(undefined, socketOf(connection)) };
    const fallbackId = FALLBACK_PATH.exec(pathOf({ url }))?.[1];
    return { url, fallbackId, ...visitors.take(fallbackId) };
  };

  const onConnection = (/** @type {Connection} */ connection) => {
    const opener = findOpener(connection);
    const session = new OpenSession(connection, opener, options, () => open.delete(session));
    const { fallbackId } = opener;
    open.add(session);
    if (fallbackId) fallbacks.set(fallbackId, session);
    guardEmitter(connection, session);
    connection.on('close', () => {
      if (fallbackId) fallbacks.delete(fallbackId);
      session.noteEnd();
    });
  };
  server.on('connection', (connection) => guard(connection, onConnection)(connection));

  /** @type {(req: Request, res: object, head?: Buffer) => boolean} */
  const handler = server.listener().getHandler();
  return {
    /**
     * Answers its own requests, and returns false for others.
     * @param {Request} req @param {object} res @param {Buffer} [head]
     */
    handle(req, res, head) {
      if (head) visitors.noteSocket(req, res);
      req.url = req.url?.replace(sessionUrl, `$&${ownName}`);
      return handler(req, res, head);
    },

    /** Takes the place of the session that a request opens, if there is none yet. @param {string} id @param {Request} req @throws {RefusalError} */
    admit: (id, req) => fallbacks.has(id) || visitors.admit(req, id),
    /** @param {string} id of a fallback's session @param {unknown[]} messages @returns {boolean} false: there is none */
    hear(id, messages) {
      const session = fallbacks.get(id);
      for (const message of messages) session?.receive(message);
      return session !== undefined;
    },
    /**
     * Closes a session that got more messages at once than any client sends.
     * @param {string} id of a fallback's session
     */
    refuseMany: (id) => fallbacks.get(id)?.refuseMany(),
    /** @param {string} id of a fallback's session @param {number} code @param {string} reason */
    close: (id, code, reason) => fallbacks.get(id)?.closeNow(code, reason),
    /** @param {number} code @param {string} reason */
    closeAll(code, reason) {
      for (const session of open) {
        session.closeNow(code, reason);
        // sockjs-node reports the end of a fallback between two polls only seconds later: too late for a worker that
        // exits.
        session.noteEnd();
      }
    },
  };
}

class OpenSession {
  #connection;
  #options;
  #closeSession;
  #conversation;
  #forget;
  #opener;
  #openedAtMs = performance.now();
  #messageCount = 0;
  #unsentBytes = 0;
  /** Would the library stumble over a close? While it goes through messages, or until somebody listens to its end. */
  #isBusy = true;
  #isClosing = false;

  /**
   * @param {Connection} connection @param {Opener} opener @param {SessionOptions} options
   * @param {() => boolean} forget false after the first
   */
  constructor(connection, opener, options, forget) {
    const { converse, gate, limits, nameOf, delayAnswer, sendsValues } = options;
    this.#connection = connection;
    this.#opener = opener;
    this.#options = options;
    const transport = nameOf(connection.protocol);
    this.#forget = forget;
    this.#conversation = converse({
      transport,
      url: opener.url,
      visitor: opener.visitor,
      socket: isWebSocket(connection) ? socketOf(connection) : undefined,
      keptBytes: () => this.#keptBytes,
      say: (text) => this.#say(text),
      close: (code, reason) => this.#close(code, reason),
      goAway: () => this.closeNow(GOING_AWAY.code, GOING_AWAY.reason),
    });
    lookAtFrames(connection, limits.framesPerTurn, () => this.refuseMany());
    if (sendsValues) sendValues(connection);
    this.#closeSession = gate.openSession(transport);
    connection.on('data', (message) => (delayAnswer ? delayAnswer(() => this.#hear(message)) : this.#hear(message)));
    this.#isBusy = false;
  }

  /** Closes the session after an error in one of its listeners. */
  destroy() {
    this.#close(FAULT.code, FAULT.reason);
  }

  /** Receives a message from one of a fallback's requests. @param {unknown} message */
  receive(message) {
    innerOf(this.#connection)?.didMessage(message);
  }

  /** Closes it, as more messages came at once than any client sends. */
  refuseMany() {
    if (this.#conversation.onTooMany) this.#conversation.onTooMany();
    else this.#close(TOO_MANY.code, TOO_MANY.reason);
  }

  /** @param {number} code @param {string} reason */
  closeNow(code, reason) {
    // A raw WebSocket has no frame for the code, and its library sends no other than 1000 by itself.
    if (this.#connection.protocol === 'websocket-raw') this.#connection.close();
    else this.#connection.close(code, reason);
  }

  /** Cleans up after the session. Further calls do nothing. */
  noteEnd() {
    if (!this.#forget()) return;
    this.#closeSession();
    this.#opener.leave?.();
    this.#conversation.onEnd?.();
    const { protocol: transport } = this.#connection;
    const durationMs = Math.round(performance.now() - this.#openedAtMs);
    this.#options.log.info({ transport, durationMs, messageCount: this.#messageCount }, 'sockjs session');
  }

  /** @param {string} message */
  #hear(message) {
    if (this.#isClosing) return;
    this.#messageCount++;
    this.#isBusy = true;
    try {
      this.#conversation.onMessage(message);
    } finally {
      this.#isBusy = false;
    }
  }

  /** sockjs-node keeps what a fallback has not fetched yet in a list without bounds. */
  get #unsentCount() {
    return innerOf(this.#connection).send_buffer?.length ?? 0;
  }

  get #keptBytes() {
    return this.#unsentCount > 0 ? this.#unsentBytes : 0;
  }

  /** @param {string} text */
  #say(text) {
    if (this.#isClosing) return;
    this.#connection.write(text);
    const unsentCount = this.#unsentCount;
    // A client that fetches gets everything, so this is the first unsent message, or has just been sent.
    if (unsentCount <= 1) this.#unsentBytes = 0;
    if (unsentCount > 0) this.#unsentBytes += text.length;
    if (this.#unsentBytes > this.#options.limits.unsentBytes) this.#close(1008, 'Answers are not fetched');
  }

  /** @param {number} code @param {string} reason */
  #close(code, reason) {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#report(code, reason);
    // sockjs-node goes through the messages of a frame in a loop, in which a session that is gone is an uncaught error.
    const closeNow = guard(this.#connection, () => this.closeNow(code, reason));
    if (this.#isBusy) process.nextTick(closeNow);
    else closeNow();
  }

  /** @param {number} code @param {string} reason */
  #report(code, reason) {
    const meter = this.#opener.fallbackId ? undefined : meterOf(socketOf(this.#connection) ?? {});
    reportClose({ meter, log: this.#options.log, path: pathOf(this.#opener) }, { code, reason });
  }
}

/** @param {Connection} connection */
const isWebSocket = ({ protocol }) => protocol.startsWith('websocket');

/** @param {Connection} connection a WebSocket's @returns {Socket | undefined} */
const socketOf = (connection) => innerOf(connection).recv?.connection;

/**
 * Creates a log that no client can flood: what sockjs-node cannot read gets an answer, not a line in the log.
 * @param {{ error: Logger['error'], trace: Logger['trace'] }} log @param {() => number} [now] in ms
 * @returns {(severity: string, line: string) => void}
 */
export function createSockjsLog(log, now = () => performance.now()) {
  let nextMs = -Infinity;
  let leftOutCount = 0;
  return (severity, line) => {
    if (severity !== 'error' || CLIENTS_FAULT.test(line)) log.trace(line);
    else if (now() < nextMs) leftOutCount++;
    else {
      log.error({ leftOutCount }, line);
      nextMs = now() + LOG_EVERY_MS;
      leftOutCount = 0;
    }
  };
}
