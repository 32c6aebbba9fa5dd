/**
 * Answers the messages of one WebSocket one at a time. Nothing is read until the answer before has been sent, so a client that
 * does not read its answers cannot fill the server's memory. Every byte is counted from its arrival until its answer has
 * been sent. A client that makes no progress is disconnected.
 */
import { NO_BODY } from '../http/body.js';
import { guard } from '../http/boundary.js';
import { TOO_LARGE } from './frames.js';
import { meterOf } from './socket-meter.js';

/**
 * @import { Socket } from 'node:net'
 * @import { BytesInFlight } from '../http/body.js'
 * @import { SocketMeter } from './socket-meter.js'
 * @import { Refusal } from './frames.js'
 * @typedef {{ pause(): void, resume(): void, close(code: number, reason: string): void }} Library that reads the WebSocket
 */

/** Tiny messages may arrive together, in one chunk or in one frame of SockJS. */
export const WAITING_COUNT = 16 * 1024;
/** The libraries' memory for each fragment and each packet of an incomplete message, besides its bytes. */
const PART_BYTES = 128;
const PACKET_BYTES = 512;
/** RFC 6455, section 7.4.1, and its registry. */
const TOO_MANY = { code: 1008, reason: 'Too many messages, or fragments of one message, at once', name: 'too-many' };
export const BUSY = { code: 1013, reason: 'This server has too much payload in flight', name: 'busy' };

export class MessageQueue {
  #socket;
  #meter;
  #holder;
  #limits;
  #maxBytes;
  #library;
  /** @type {{ bytes: number, answer: () => void }[]} */
  #waiting = [];
  #waitingBytes = 0;
  #isSending = false;
  #isPaused = false;
  #hasEnded = false;
  #destroy;
  /** @type {NodeJS.Timeout | undefined} while bytes are held */
  #deadline;

  /**
   * @param {{ inFlight: BytesInFlight, limits: { answerMs: number, requestMs: number }, socket: Socket, maxBytes: number,
   *   library: Library }} options `socket`: with a meter; the library already listens to it; `maxBytes`: of one
   *   message, including the library's framing
   */
  constructor({ socket, inFlight, limits, maxBytes, library }) {
    this.#socket = socket;
    this.#meter = /** @type {SocketMeter} */ (meterOf(socket));
    this.#holder = inFlight.openHolder();
    this.#limits = limits;
    this.#maxBytes = maxBytes;
    this.#library = library;
    this.#destroy = guard(socket, () => socket.destroy());
    this.#meter.onRefuse = (why) => this.#close(why);
    // SockJS's library resumes reading by itself.
    const onData = () => this.hold() && this.#isPaused && library.pause();
    socket.prependListener('data', guard(socket, onData));
    socket.on('timeout', this.#destroy);
    socket.once(
      'close',
      guard(socket, () => this.end()),
    );
  }

  /** The size of the answers that have not been sent yet. */
  get #unsentBytes() {
    return this.#socket.writableLength + this.#meter.keptBackBytes;
  }

  /** @param {number} bytes of a message @param {() => void} answer is called when the answers before it have been sent */
  add(bytes, answer) {
    if (this.#hasEnded) return;
    if (bytes > this.#maxBytes) this.#disconnect(TOO_LARGE);
    else if (this.#waiting.length >= WAITING_COUNT) this.#disconnect(TOO_MANY);
    else {
      this.#waiting.push({ bytes, answer });
      this.#waitingBytes += bytes;
      this.#deadline?.refresh();
      if (!this.#isSending) this.#answerWaiting();
    }
  }

  /** Disconnects a client that sent more messages at once than any real client does. */
  refuseMany() {
    if (!this.#hasEnded) this.#disconnect(TOO_MANY);
  }

  /** The library closes the socket: later bytes are not kept. */
  end() {
    this.#hasEnded = true;
    this.#waiting = [];
    this.#watch(false);
    this.#holder.release();
  }

  /** @param {Refusal} why */
  #disconnect(why) {
    this.#meter.report(why);
    this.#close(why);
  }

  /** @param {Refusal} why */
  #close({ code, reason }) {
    this.end();
    this.#library.close(code, reason);
    this.#meter.discard();
  }

  /** @param {boolean} isBusy */
  #watch(isBusy) {
    if (isBusy === (this.#deadline !== undefined)) return;
    clearTimeout(this.#deadline);
    this.#deadline = isBusy ? setTimeout(this.#destroy, this.#limits.requestMs) : undefined;
    // Node.js does not treat a client that reads slowly as idle.
    this.#socket.setTimeout(isBusy ? this.#limits.answerMs : 0);
  }

  /** Makes room for an answer; where there is none, disconnects the client. @param {number} [moreBytes] @returns {boolean} */
  hold(moreBytes = 0) {
    if (this.#hasEnded) return false;
    const { frames, packetCount } = this.#meter;
    const keptApartBytes = PART_BYTES * frames.partCount + PACKET_BYTES * packetCount;
    const bytes = keptApartBytes + frames.pendingBytes + this.#waitingBytes + this.#unsentBytes + moreBytes;
    const hasRoom = this.#holder.hold(bytes);
    if (hasRoom) this.#watch(bytes > 0);
    else this.#disconnect(BUSY);
    return hasRoom;
  }

  #answerWaiting() {
    while (this.#waiting.length > 0 && !this.#isSending) {
      const [{ bytes, answer }] = this.#waiting.splice(0, 1);
      this.#waitingBytes -= bytes;
      answer();
      if (!this.#hasEnded && this.#unsentBytes > 0) this.#waitUntilSent();
    }
    this.hold();
    if (this.#hasEnded || this.#isSending === this.#isPaused) return;
    this.#isPaused = this.#isSending;
    if (this.#isPaused) this.#library.pause();
    else this.#library.resume();
  }

  #waitUntilSent() {
    this.#isSending = true;
    // An empty write, whose callback comes when all before it has been sent.
    const onSent = () => {
      // Socket.IO's library writes its next answers only now.
      if (!this.#hasEnded && this.#socket.writable && this.#unsentBytes > 0) return this.#waitUntilSent();
      this.#isSending = false;
      this.#deadline?.refresh();
      this.#answerWaiting();
    };
    this.#socket.write(NO_BODY, guard(this.#socket, onSent));
  }
}
