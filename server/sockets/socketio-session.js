/** Manages one session of Socket.IO: its messages, its limits and its end. */
import { FAULT } from './frames.js';
import { KeptBack } from './kept-back.js';
import { reportClose } from './report-close.js';
import { meterOf } from './socket-meter.js';
import { LINGER_MS } from '../http/body.js';
import { guard } from '../http/boundary.js';
import { pathOf } from '../http/exchange.js';
import { GOING_AWAY } from '../workers.js';

/**
 * @import { Socket as NetSocket } from 'node:net'
 * @import { Logger } from 'pino'
 * @import { Socket } from 'socket.io'
 * @import { DelayAnswer } from '../app.js'
 * @import { Gate } from '../http/gate.js'
 * @import { Limits } from '../http/limits.js'
 * @import { Admitted } from './session-visitors.js'
 * @import { Why } from './report-close.js'
 * @import { Session } from './sockjs-sessions.js'
 *
 * @typedef {Omit<Session, 'say'> & { say(value: unknown): void, enter(room: string): (value: unknown) => void }} Speaker as a
 *   session of SockJS's; says any JSON; `socket` comes with the upgrade; `enter` returns what says something to the whole room
 * @typedef {{ onMessage(message: unknown): void, onEnd?(): void }} Conversation
 * @typedef {(speaker: Speaker) => Conversation} Converse
 * @typedef {{ name: string, converse: Converse, gate: Gate, limits: Limits, log: Logger, delayAnswer?: DelayAnswer,
 *   connectsAgain?: boolean }} SocketioSessionOptions `name`: what its transports are counted as; `connectsAgain`: its client is to connect again
 *   after a drain
 * @typedef {Socket['conn']} EngineSocket the connection beneath, which polls, or has a WebSocket
 */

/** The event of all messages, in both directions. */
const EVENT = 'message';
/** RFC 6455, section 7.4.1. */
const TOO_MANY = { code: 1008, reason: 'Too many messages at once' };
const NOT_FETCHED = { code: 1008, reason: 'Answers are not fetched' };
const CONNECTED_TWICE = { code: 1008, reason: 'Connected more than once' };
const UNREADABLE = { code: 1008, name: 'bad-message' };

export class SocketioSession {
  #connection;
  #admitted;
  #options;
  #closeSession;
  /** @type {Socket | undefined} its connection to the only namespace; absent before, and afterwards */
  #joined;
  #openedAtMs = performance.now();
  #messageCount = 0;
  #keptBack;
  #isClosing = false;
  #hasEnded = false;

  /** @param {EngineSocket} connection @param {Admitted} admitted @param {SocketioSessionOptions} options */
  constructor(connection, admitted, options) {
    this.#connection = connection;
    this.#admitted = admitted;
    this.#options = options;
    this.#closeSession = options.gate.openSession(options.name);
    this.#keptBack = new KeptBack({
      limitBytes: options.limits.unsentBytes,
      meterOf: () => this.#meter,
      close: () => this.#close(NOT_FETCHED),
      session: this,
    });
    // Where the transport can write, the library writes a packet at once.
    connection.on('packetCreate', ({ data }) => {
      if (!connection.transport.writable) this.#keptBack.add(Buffer.byteLength(data ?? ''));
    });
    connection.on('flush', () => this.#keptBack.clear());
    // From then on, the WebSocket has the place.
    connection.once('upgrade', () => this.#leave());
  }

  /** Begins a conversation, once the client has connected to the namespace. @param {Socket} socket */
  join(socket) {
    if (this.#isClosing) return;
    // The library keeps each until the session ends, and hears only the last. No client sends a second.
    if (this.#joined) {
      this.#close(CONNECTED_TWICE);
      return;
    }
    const { delayAnswer } = this.#options;
    const conversation = this.#converse(socket);
    this.#joined = socket;
    const hear = guard(this, (/** @type {unknown} */ message) => this.#hear(conversation, message));
    const hearLater = guard(this, (/** @type {unknown} */ message) => delayAnswer?.(() => hear(message)));
    if (delayAnswer) socket.on(EVENT, hearLater);
    else socket.on(EVENT, hear);
    // A client may send an event of this name, too.
    const onError = (/** @type {any} */ error) => this.#close({ ...UNREADABLE, reason: reasonOf(error) });
    socket.on('error', guard(this, onError));
    const onEnd = () => {
      this.#joined = undefined;
      conversation.onEnd?.();
    };
    socket.once('disconnect', guard(this, onEnd));
  }

  /** @param {Socket} socket */
  #converse(socket) {
    const { converse, name } = this.#options;
    const webSocket = () => this.#socket;
    return converse({
      transport: name,
      url: this.#connection.request.url ?? '',
      visitor: this.#admitted.visitor,
      get socket() {
        return webSocket();
      },
      keptBytes: () => this.#keptBack.bytes,
      say: (value) => this.#say(socket, value),
      enter(room) {
        void socket.join(room);
        return (value) => void socket.nsp.to(room).emit(EVENT, value);
      },
      close: (code, reason) => this.#close({ code, reason }),
      // Its client connects again where the connection is closed, not where the library disconnects it.
      goAway: () => this.#goAway(),
    });
  }

  #goAway() {
    const webSocket = this.#webSocket;
    if (webSocket) webSocket.close(GOING_AWAY.code, GOING_AWAY.reason);
    else this.#connection.close(true);
  }

  /** Tells the client that this worker goes away, and closes the connection. */
  drain() {
    if (this.#options.connectsAgain) this.#goAway();
    else this.closeNow(GOING_AWAY.code, GOING_AWAY.reason);
  }

  /** Closes the session after an error in one of its listeners. */
  destroy() {
    this.#close(FAULT);
  }

  /** @param {string} payload packets of a poll @returns {boolean} false if it does not poll */
  receive(payload) {
    const { readyState, transport } = this.#connection;
    if (this.#isClosing || readyState !== 'open' || transport.name !== 'polling') return false;
    // The types of the library hide this method.
    /** @type {any} */ (transport).onData(payload);
    return true;
  }

  /** Closes it, as more messages came at once than any client sends. */
  refuseMany() {
    this.#close(TOO_MANY);
  }

  /** Tells the client, then closes the connection. @param {number} code @param {string} reason */
  closeNow(code, reason) {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#joined?.disconnect();
    // The types of the library hide how it sends and closes.
    const connection = /** @type {any} */ (this.#connection);
    const webSocket = this.#webSocket;
    if (webSocket) {
      // The library writes nothing before its last write is done; this would come too late then.
      connection.transport.writable = true;
      connection.flush();
      webSocket.close(code, reason);
    }
    const end = () => void connection.close(true);
    if (webSocket || connection.writeBuffer.length === 0) end();
    else this.#whenFetched(end);
  }

  /** Calls back when the next poll has fetched what there is, or none has come in time. @param {() => void} end */
  #whenFetched(end) {
    const timer = setTimeout(guard(this.#connection.request.socket, end), LINGER_MS);
    this.#connection.once('drain', end);
    this.#connection.once('close', () => clearTimeout(timer));
  }

  /** Cleans up after the session. Further calls do nothing. */
  noteEnd() {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#closeSession();
    this.#leave();
    this.#keptBack.clear();
    const transport = `${this.#options.name} ${this.#connection.transport.name}`;
    const durationMs = Math.round(performance.now() - this.#openedAtMs);
    this.#options.log.info({ transport, durationMs, messageCount: this.#messageCount }, 'socketio session');
  }

  /** The WebSocket of the library, which its types hide; absent while it polls. */
  get #webSocket() {
    const { transport } = this.#connection;
    return transport.name === 'websocket' ? /** @type {any} */ (transport).socket : undefined;
  }

  /** The connection beneath the WebSocket; absent while it polls. @returns {NetSocket | undefined} */
  get #socket() {
    return this.#webSocket?._socket ?? undefined;
  }

  get #meter() {
    const socket = this.#socket;
    return socket && meterOf(socket);
  }

  #leave() {
    this.#admitted.leave?.();
    this.#admitted = { visitor: this.#admitted.visitor };
  }

  /** @param {Conversation} conversation @param {unknown} message */
  #hear(conversation, message) {
    if (this.#isClosing) return;
    this.#messageCount++;
    // Where there is no argument, the first is the library's function that acknowledges.
    conversation.onMessage(typeof message === 'function' ? undefined : message);
  }

  /** @param {Socket} socket @param {unknown} value */
  #say(socket, value) {
    if (!this.#isClosing) socket.emit(EVENT, value);
  }

  /** @param {Why} why */
  #close(why) {
    if (this.#isClosing) return;
    const meter = this.#meter;
    reportClose({ meter, log: this.#options.log, path: pathOf(this.#connection.request) }, why);
    this.closeNow(why.code, why.reason);
    // Its library would wait for the client's own close, and read on until then.
    meter?.discard();
  }
}

/** @param {unknown} error of the library, or what a client sent @returns {string} short enough for a close frame */
const reasonOf = (error) => (error instanceof Error ? error.message : 'Unexpected event').slice(0, 120);
