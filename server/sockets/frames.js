/**
 * Parses WebSocket frames: reads their headers, skips their payload without a copy, and tracks how much of a message
 * has arrived and where in a chunk each frame ends. The library finds frames that violate the protocol.
 *
 * Also limits the work per turn of the event loop for each socket.
 * @see https://www.rfc-editor.org/rfc/rfc6455#section-5.2
 *
 * @typedef {{ code: number, reason: string, name: string }} Refusal by RFC 6455, section 7.4.1; `name` is for the metrics
 */

import { FRAME_WORK } from '../http/turns.js';

const FIN = 0x80;
const FINAL_TEXT = 0x81;
const FINAL_BINARY = 0x82;
const FINAL_CLOSE = 0x88;
/** This bit is in the opcodes of control frames, which may come between the fragments of a message. */
const CONTROL = 0x08;
const MASKED = 0x80;
const LENGTH = 0x7f;
/** The header size of a masked frame whose length is in its second byte. */
const SHORT_HEAD_BYTES = 6;
const MAX_SHORT_BYTES = 125;

/** This is a class because the methods of a closure would cost each open socket a kilobyte. */
export class FrameParser {
  /** The number of frames that have begun. */
  frameCount = 0;
  /** The number of complete messages. */
  messageCount = 0;
  /** The number of fragments of the incomplete message, including the one being received. */
  partCount = 0;
  /** The payload of that message in bytes, according to the headers so far. */
  declaredBytes = 0;
  /** The number of pings, pongs and closes whose headers are complete. */
  controlCount = 0;
  /** Whether the header of a frame is complete, and its payload is not. */
  isInPayload = false;
  /** The payload length of that frame. */
  payloadBytes = 0;
  /** The number of its payload bytes that have not arrived yet. */
  leftBytes = 0;

  #headBytes = 0;
  /** The length of the header, as far as it is known. */
  #headLength = 2;
  #extendedLength = 0;
  #isLast = false;
  #isControl = false;
  /** The bytes received of the incomplete frame, including its header. */
  #frameBytes = 0;
  /** The bytes of the complete frames of an incomplete message. */
  #messageBytes = 0;

  /** Whether the next byte begins a frame. */
  get isBetweenFrames() {
    return this.#headBytes === 0;
  }

  /** The bytes received of the incomplete message, including headers; 0 between messages. */
  get pendingBytes() {
    return this.#messageBytes + this.#frameBytes;
  }

  /**
   * Takes a chunk that is one short message in one frame, as nearly all are.
   * @param {Buffer} chunk @param {number} maxBytes @returns {boolean} whether it is, and has been read
   */
  takeWholeMessage(chunk, maxBytes) {
    const bytes = chunk.length - SHORT_HEAD_BYTES;
    const isWhole =
      chunk[1] === (MASKED | bytes) &&
      bytes <= Math.min(maxBytes, MAX_SHORT_BYTES) &&
      (chunk[0] === FINAL_TEXT || chunk[0] === FINAL_BINARY) &&
      this.#headBytes === 0 &&
      this.partCount === 0;
    if (!isWhole) return false;
    this.frameCount++;
    this.messageCount++;
    return true;
  }

  /** Reads what the chunk has of a header. @param {Buffer} chunk @param {number} at @returns {number} where to go on */
  readHead(chunk, at) {
    while (at < chunk.length) {
      this.#takeHeadByte(chunk[at++]);
      if (this.#headBytes < this.#headLength) continue;
      this.#endHead();
      break;
    }
    return at;
  }

  /** Skips what the chunk has of the payload. @param {Buffer} chunk @param {number} at @returns {number} where to go on */
  skipPayload(chunk, at) {
    const bytes = Math.min(this.leftBytes, chunk.length - at);
    this.leftBytes -= bytes;
    this.#frameBytes += bytes;
    if (this.leftBytes === 0) this.#endFrame();
    return at + bytes;
  }

  /** @param {number} byte */
  #takeHeadByte(byte) {
    const index = this.#headBytes++;
    this.#frameBytes++;
    if (index === 0) {
      this.frameCount++;
      this.#isLast = (byte & FIN) !== 0;
      this.#isControl = (byte & CONTROL) !== 0;
    } else if (index === 1) {
      const length = byte & LENGTH;
      this.#extendedLength = length === 127 ? 8 : length === 126 ? 2 : 0;
      this.#headLength = 2 + this.#extendedLength + (byte & MASKED ? 4 : 0);
      this.payloadBytes = this.#extendedLength === 0 ? length : 0;
    } else if (index < 2 + this.#extendedLength) {
      this.payloadBytes = this.payloadBytes * 256 + byte;
    }
  }

  #endHead() {
    if (this.#isControl) this.controlCount++;
    else {
      this.declaredBytes += this.payloadBytes;
      this.partCount++;
    }
    this.leftBytes = this.payloadBytes;
    if (this.leftBytes > 0) this.isInPayload = true;
    else this.#endFrame();
  }

  #endFrame() {
    if (!this.#isControl) this.#endPart();
    this.isInPayload = false;
    this.#headBytes = 0;
    this.#headLength = 2;
    this.#frameBytes = 0;
  }

  #endPart() {
    if (!this.#isLast) {
      this.#messageBytes += this.#frameBytes;
      return;
    }
    this.messageCount++;
    this.#messageBytes = 0;
    this.declaredBytes = 0;
    this.partCount = 0;
  }
}

/**
 * Returns the frame with which a server closes a WebSocket.
 * @param {number} code @param {string} reason at most 123 bytes
 * @example closeFrame(1008, '') // 88 02 03 f0
 * @see https://www.rfc-editor.org/rfc/rfc6455#section-5.5.1
 */
export function closeFrame(code, reason) {
  const text = Buffer.from(reason);
  return Buffer.concat([Buffer.of(FINAL_CLOSE, 2 + text.length, code >> 8, code & 0xff), text]);
}

const RATE_WINDOW_MS = 1000;

/** @type {Refusal} */
export const FAULT = { code: 1011, reason: 'Internal server error', name: 'internal' };
/** @type {Refusal} */
export const TOO_LARGE = { code: 1009, reason: 'Message is too large', name: 'too-large' };
/** @type {Refusal} */
const TOO_MANY_FRAGMENTS = { code: 1008, reason: 'Too many fragments of one message', name: 'too-many' };

/**
 * Returns how much of a chunk may go to the library in this turn.
 * @param {FrameParser} frames has read all before the chunk, and then what may go of it @param {Buffer} chunk
 * @param {{ limits: { messageBytes: number, partCount: number }, work: number, isTurn: boolean }} options
 *   `work`: the work that there is room for; `isTurn`: at least one frame goes, however large
 * @returns {{ end: number, work: number, refusal?: Refusal }} `end`: where what may go ends; `work`: in bytes;
 *   `refusal`: why the frame after it may not go at all
 */
export function admit(frames, chunk, { limits, work: room, isTurn }) {
  let at = 0;
  let work = 0;
  let frameAt = 0;
  while (at < chunk.length) {
    const moreWork = workOfNext(frames, chunk.length - at);
    if (work + moreWork > room && !(isTurn && work === 0)) break;
    work += moreWork;
    if (frames.isBetweenFrames) frameAt = at;
    at = frames.isInPayload ? frames.skipPayload(chunk, at) : frames.readHead(chunk, at);
    if (frames.declaredBytes > limits.messageBytes) return { end: frameAt, work, refusal: TOO_LARGE };
    if (frames.partCount > limits.partCount) return { end: frameAt, work, refusal: TOO_MANY_FRAGMENTS };
  }
  return { end: at, work };
}

/**
 * Returns the work of the next step: a library handles a payload when all of it is there.
 * @param {FrameParser} frames @param {number} bytes that there are
 */
function workOfNext(frames, bytes) {
  if (!frames.isInPayload) return frames.isBetweenFrames ? FRAME_WORK : 0;
  return frames.leftBytes <= bytes ? frames.payloadBytes : 0;
}

/**
 * Limits a rate per second, counted from the first event in each second.
 * @param {number} perSecond @param {() => number} [now] ms
 * @returns {(count: number) => boolean} adds to the count, and returns whether it exceeds the limit
 */
export function createRateLimit(perSecond, now = () => performance.now()) {
  let total = 0;
  let beganMs = -Infinity;
  return (count) => {
    const nowMs = now();
    if (nowMs - beganMs >= RATE_WINDOW_MS) {
      beganMs = nowMs;
      total = 0;
    }
    total += count;
    return total > perSecond;
  };
}
