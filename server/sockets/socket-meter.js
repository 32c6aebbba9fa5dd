/**
 * Sits between a connection and the WebSocket library that reads it, and sees every byte first. It counts frames,
 * fragments, control frames and bytes, and closes connections beyond the limits. It passes on what one turn of the
 * event loop has room for; the rest waits here, and the connection is not read until then.
 *
 * Libraries read by 'data' and steer by pause() and resume(), so these are replaced on the connection; a stream in between
 * would cost each message several microseconds.
 */
import { LINGER_MS, NO_BODY } from '../http/body.js';
import { endFailed, guard } from '../http/boundary.js';
import { FRAME_WORK } from '../http/turns.js';
import { closeFrame, FrameParser, admit, createRateLimit } from './frames.js';

/**
 * @import { Socket } from 'node:net'
 * @import { TurnQueue } from '../http/turns.js'
 * @import { Refusal } from './frames.js'
 * @typedef {object} SocketLimits
 * @property {number} messageBytes of one message
 * @property {number} partCount frames of one message
 * @property {number} packetCount chunks that a message may come in: libraries keep each apart until it is whole
 * @property {number} controlFramesPerSecond
 * @property {number} framesPerTurn handled in one turn, or as much payload
 * @property {number} unsentBytes answers that wait for the client to read them, before its messages wait, too
 */

/** Node.js reads this much at a time. After a full read, it may read more in the same turn. */
const READ_BYTES = 64 * 1024;

/** @type {Refusal} */
const TOO_MANY_PACKETS = { code: 1008, reason: 'Too many packets of one message', name: 'too-many' };
/** @type {Refusal} */
const TOO_MANY_CONTROLS = { code: 1008, reason: 'Too many pings and pongs', name: 'too-many' };

/** @type {WeakMap<object, SocketMeter>} */
const meters = new WeakMap();

/** @param {object} socket @returns {SocketMeter | undefined} absent where it was not upgraded */
export function meterOf(socket) {
  return meters.get(socket);
}

/** @param {Socket} socket @returns {number} what its client has not read: a library may not have written all of it yet */
export const unsentBytesOf = (socket) => socket.writableLength + (meterOf(socket)?.keptBackBytes ?? 0);

export class SocketMeter {
  /** Parses the bytes that the library has received so far. */
  frames = new FrameParser();
  /** The number of chunks of the incomplete message. */
  packetCount = 0;
  /** Whether further bytes are discarded. */
  isClosing = false;
  /** The size of the answers that a library has not written to the connection yet. */
  keptBackBytes = 0;
  /** @type {((refusal: Refusal) => void) | undefined} closes instead of the meter, then calls {@link discard} */
  onRefuse;

  #socket;
  #limits;
  #queue;
  /** @type {((why: Refusal) => void) | undefined} absent once it was called */
  #report;
  /** @type {(this: Socket, event: string, ...args: any[]) => boolean} */
  #emit;
  #pause;
  #resume;
  /** @type {((count: number) => boolean) | undefined} most sockets never get a control frame */
  #isTooManyControls;
  /** @type {Buffer | undefined} what waits for a turn */
  #rest;
  /** @type {(() => void)[]} remaining work on what was passed on; each takes a turn, and comes before the rest */
  #tasks = [];
  /** The connection is not read: something waits for a turn, or for answers to leave. */
  #isHeld = false;
  #isQueued = false;
  #isFlushing = false;
  #isPausedByLibrary = false;
  #hasEnded = false;
  #unansweredCount = 0;

  /**
   * @param {{ socket: Socket, head?: Buffer, limits: SocketLimits, queue: TurnQueue, report(why: Refusal): void }} options
   *   `head`: what came with the request for the upgrade; `queue`: shared by all; `report` is called once at most
   */
  constructor({ socket, head = NO_BODY, limits, queue, report }) {
    this.#socket = socket;
    this.#limits = limits;
    this.#queue = queue;
    this.#report = report;
    this.#emit = socket.emit;
    this.#pause = socket.pause;
    this.#resume = socket.resume;
    meters.set(socket, this);
    this.#replaceMethods();
    if (head.length > 0) this.#keep(head);
  }

  /** The number of bytes that wait for a turn. */
  get heldBytes() {
    return this.#rest?.length ?? 0;
  }

  /** Whether tasks must run before further bytes are passed on. */
  get hasTasks() {
    return this.#tasks.length > 0;
  }

  /**
   * Adds a task. Nothing else is passed on until all tasks are done.
   * @param {() => void} task takes as long as `framesPerTurn` frames
   */
  doLater(task) {
    this.#tasks.push(task);
    this.#hold();
    this.#askForTurn();
  }

  /** Sends no more, and discards further bytes; ends the connection after the client had time to read the reason. */
  discard() {
    if (this.isClosing) return;
    this.isClosing = true;
    this.#forget();
    this.#resume.call(this.#socket);
    // A SockJS session that is handling messages sends the reason in the next tick.
    const socket = this.#socket;
    const end = guard(socket, () => socket.end());
    setImmediate(end);
    const destroy = guard(socket, () => socket.destroy());
    const timer = setTimeout(destroy, LINGER_MS);
    const onClose = guard(socket, () => clearTimeout(timer));
    socket.once('close', onClose);
  }

  /** Reports to the log and the metrics, at most once, why the connection is closed. @param {Refusal} why */
  report(why) {
    this.#report?.(why);
    this.#report = undefined;
  }

  /** The connection that a turn belongs to. */
  get connection() {
    return this.#socket;
  }

  /** Takes a turn; called only by the queue. @returns {number} the work that was done */
  takeTurn() {
    this.#isQueued = false;
    if (this.isClosing || this.#mayNotGoOn) return 0;
    const task = this.#tasks.shift();
    if (task) return this.#run(task);
    if (this.#rest) return this.#take(this.#rest, true);
    this.#isHeld = false;
    this.#resume.call(this.#socket);
    return 0;
  }

  #replaceMethods() {
    // By its types, the overloads of its methods, no single function can take their place.
    const socket = /** @type {any} */ (this.#socket);
    socket.emit = (/** @type {string} */ event, /** @type {any} */ first, /** @type {any[]} */ ...others) => {
      // This surrounds all listeners of the connection, including those of libraries.
      try {
        if (event === 'data') return this.#onData(first);
        if (event === 'end' && this.#isWaiting) return (this.#hasEnded = true);
        if (event === 'close') this.#forget();
        return this.#emit.call(socket, event, first, ...others);
      } catch (error) {
        endFailed(socket, error);
        return true;
      }
    };
    socket.pause = () => {
      this.#isPausedByLibrary = true;
      return this.#pause.call(socket);
    };
    socket.resume = () => {
      this.#isPausedByLibrary = false;
      if (!this.#isHeld) return this.#resume.call(socket);
      this.#askForTurn();
      return socket;
    };
  }

  get #isWaiting() {
    return this.#rest !== undefined || this.#tasks.length > 0;
  }

  #forget() {
    this.#rest = undefined;
    this.#tasks = [];
  }

  /** @param {() => void} task */
  #run(task) {
    this.#unansweredCount += this.#limits.framesPerTurn;
    task();
    this.#goOn();
    return this.#limits.framesPerTurn * FRAME_WORK;
  }

  /** @param {Buffer} chunk */
  #onData(chunk) {
    if (this.#isHeld) this.#keep(chunk);
    else if (!this.isClosing && this.frames.takeWholeMessage(chunk, this.#limits.messageBytes)) this.#passWhole(chunk);
    else this.#take(chunk, false);
    return true;
  }

  /** @param {Buffer} chunk a message */
  #passWhole(chunk) {
    this.#unansweredCount++;
    this.packetCount = 0;
    this.#emitData(chunk);
    this.#goOn();
  }

  /** @param {Buffer} chunk */
  #keep(chunk) {
    if (this.isClosing) return;
    this.#rest = this.#rest ? Buffer.concat([this.#rest, chunk]) : chunk;
    this.#hold();
    this.#askForTurn();
  }

  /**
   * Passes on what there is room for, and keeps the rest; returns the work.
   * @param {Buffer} chunk @param {boolean} isTurn
   */
  #take(chunk, isTurn) {
    if (this.isClosing) return 0;
    const { frames } = this;
    const { frameCount, messageCount, controlCount } = frames;
    const room = this.#limits.framesPerTurn * FRAME_WORK;
    const { end, work, refusal } = admit(frames, chunk, { limits: this.#limits, work: room, isTurn });
    this.#unansweredCount += frames.frameCount - frameCount;
    const isMessageNew = frames.messageCount > messageCount;
    this.packetCount = frames.pendingBytes === 0 ? 0 : isMessageNew ? 1 : this.packetCount + 1;
    const why = refusal ?? this.#refusalOf(frames.controlCount - controlCount);

    this.#rest = end < chunk.length && !why ? chunk.subarray(end) : undefined;
    if (this.#rest || (work > FRAME_WORK && chunk.length >= READ_BYTES)) this.#hold();
    if (end > 0 && (refusal || !why)) this.#emitData(end < chunk.length ? chunk.subarray(0, end) : chunk);
    if (why) this.#refuse(why);
    else this.#goOn();
    return work;
  }

  /** @param {number} controlCount that have just come */
  #refusalOf(controlCount) {
    if (this.packetCount > this.#limits.packetCount) return TOO_MANY_PACKETS;
    if (controlCount === 0) return undefined;
    this.#isTooManyControls ??= createRateLimit(this.#limits.controlFramesPerSecond);
    return this.#isTooManyControls(controlCount) ? TOO_MANY_CONTROLS : undefined;
  }

  /** @param {Buffer} chunk */
  #emitData(chunk) {
    this.#emit.call(this.#socket, 'data', chunk);
  }

  /** Continues after something was passed on. */
  #goOn() {
    if (this.isClosing) return;
    if (this.#hasEnded && !this.#isWaiting) {
      this.#hasEnded = false;
      this.#emit.call(this.#socket, 'end');
    }
    if (this.#isBehind()) this.#waitUntilSent();
    else if (this.#isHeld) this.#askForTurn();
  }

  /** Checks whether too many answers are unsent. Each takes memory besides its bytes. */
  #isBehind() {
    const { writableLength } = this.#socket;
    if (writableLength === 0) this.#unansweredCount = 0;
    const unsentBytes = writableLength + this.keptBackBytes + this.#unansweredCount * FRAME_WORK;
    return unsentBytes > this.#limits.unsentBytes && this.#socket.writable;
  }

  #waitUntilSent() {
    this.#hold();
    this.#isFlushing = true;
    // The callback of an empty write runs when everything before it has been sent.
    const onSent = guard(this.#socket, () => {
      this.#isFlushing = false;
      this.#unansweredCount = 0;
      this.#askForTurn();
    });
    this.#socket.write(NO_BODY, onSent);
  }

  #hold() {
    this.#isHeld = true;
    this.#pause.call(this.#socket);
  }

  get #mayNotGoOn() {
    return this.#isFlushing || this.#isPausedByLibrary;
  }

  #askForTurn() {
    if (this.#isQueued || this.#mayNotGoOn) return;
    this.#isQueued = true;
    this.#queue.add(this);
  }

  /** @param {Refusal} why */
  #refuse(why) {
    if (this.isClosing) return;
    this.report(why);
    if (this.onRefuse) this.onRefuse(why);
    else {
      if (this.#socket.writable) this.#socket.write(closeFrame(why.code, why.reason));
      // The library does not know of it, and must send nothing behind it.
      this.#socket.write = () => true;
      this.discard();
    }
  }
}
