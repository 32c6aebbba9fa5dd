/**
 * Reads the heads of a WebSocket client's frames and skips their payload, without a copy: how much of a message has come, and
 * where in a chunk each frame ends. Frames that break the protocol are for the library to find.
 * @see https://www.rfc-editor.org/rfc/rfc6455#section-5.2
 */

const FIN = 0x80;
const FINAL_CLOSE = 0x88;
const OPCODE = 0x0f;
const MASKED = 0x80;
const LENGTH = 0x7f;
/** Opcodes from here on are of control frames, which may come between the parts of a message. */
const FIRST_CONTROL = 8;
const MASK_BYTES = 4;

/** A class, as methods of a closure would cost each open socket its own kilobyte. */
export class FrameParser {
  /** Frames that have begun. */
  frameCount = 0;
  /** Messages that are whole. */
  messageCount = 0;
  /** Frames of the message that is not whole, the one that is coming included. */
  partCount = 0;
  /** Payload of that message, by the heads so far. */
  declaredBytes = 0;
  /** Pings, pongs and closes whose heads are whole. */
  controlCount = 0;
  /** Is the head of a frame whole, and its payload not? */
  isInPayload = false;
  /** Of that frame. */
  payloadBytes = 0;
  /** Of its payload: what has not come yet. */
  leftBytes = 0;

  #headBytes = 0;
  /** Of the head, as far as it is known. */
  #headLength = 2;
  #extendedLength = 0;
  #isLast = false;
  #isControl = false;
  /** Of the frame that is not whole, its head included. */
  #frameBytes = 0;
  /** Of the whole frames of a message that is not whole. */
  #messageBytes = 0;

  /** Does the next byte begin a frame? */
  get isBetweenFrames() {
    return this.#headBytes === 0;
  }

  /** Received of the message that is not whole, heads included; 0 between messages. */
  get pendingBytes() {
    return this.#messageBytes + this.#frameBytes;
  }

  /** Reads what the chunk has of a head. @param {Buffer} chunk @param {number} at @returns {number} where to go on */
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
      this.#isControl = (byte & OPCODE) >= FIRST_CONTROL;
    } else if (index === 1) {
      const length = byte & LENGTH;
      this.#extendedLength = length === 127 ? 8 : length === 126 ? 2 : 0;
      this.#headLength = 2 + this.#extendedLength + (byte & MASKED ? MASK_BYTES : 0);
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
 * What a server sends to close a WebSocket. @param {number} code @param {string} reason at most 123 bytes
 * @example closeFrame(1008, '') // 88 02 03 f0
 * @see https://www.rfc-editor.org/rfc/rfc6455#section-5.5.1
 */
export function closeFrame(code, reason) {
  const text = Buffer.from(reason);
  return Buffer.concat([Buffer.of(FINAL_CLOSE, 2 + text.length, code >> 8, code & 0xff), text]);
}
