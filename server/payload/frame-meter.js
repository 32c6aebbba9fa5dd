/**
 * How much of a message a client has sent that is not whole yet: the WebSocket libraries tell of it only when it is, and
 * until then they keep it. So this reads the frames' heads along with them.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6455#section-5.2
 */

const FIN = 0x80;
const OPCODE = 0x0f;
const MASKED = 0x80;
const LENGTH = 0x7f;
/** Opcodes from here on are of control frames, which may come between the parts of a message. */
const FIRST_CONTROL = 8;
const LARGEST_HEAD = 14;

/** @typedef {ReturnType<typeof createFrameMeter>} FrameMeter */

export function createFrameMeter() {
  const head = Buffer.alloc(LARGEST_HEAD);
  let headBytes = 0;
  /** What is left of the payload of the frame whose head is whole. */
  let leftBytes = 0;
  /** Of the frame that is not whole yet, its head included. */
  let frameBytes = 0;
  /** Of the whole frames of a message that is not whole yet. */
  let messageBytes = 0;
  /** Payload of that message, by the heads so far. */
  let declaredBytes = 0;
  let partCount = 0;

  const endHead = () => {
    leftBytes = payloadLengthOf(head);
    if (!isControl(head)) declaredBytes += leftBytes;
  };

  const endFrame = () => {
    if (!isControl(head)) {
      const isLast = (head[0] & FIN) !== 0;
      messageBytes = isLast ? 0 : messageBytes + frameBytes;
      partCount = isLast ? 0 : partCount + 1;
      if (isLast) declaredBytes = 0;
    }
    headBytes = 0;
    frameBytes = 0;
  };

  return {
    /** @param {Buffer} chunk what came next; frames that are none are the library's to find */
    put(chunk) {
      let at = 0;
      while (at < chunk.length) {
        if (leftBytes === 0) {
          head[headBytes++] = chunk[at++];
          frameBytes++;
          if (headBytes < headLengthOf(head, headBytes)) continue;
          endHead();
        } else {
          const bytes = Math.min(leftBytes, chunk.length - at);
          at += bytes;
          leftBytes -= bytes;
          frameBytes += bytes;
        }
        if (leftBytes === 0) endFrame();
      }
    },

    /** @returns {number} received of the message that is not whole, heads included; 0 between messages */
    pendingBytes: () => messageBytes + frameBytes,

    /** @returns {number} what the payload of that message will be at least */
    declaredBytes: () => declaredBytes,

    /** @returns {number} frames of that message that are whole; they may be empty */
    partCount: () => partCount,
  };
}

/**
 * @param {Buffer} head
 * @param {number} headBytes how much of it there is
 */
function headLengthOf(head, headBytes) {
  if (headBytes < 2) return 2;
  const length = head[1] & LENGTH;
  const extendedBytes = length === 127 ? 8 : length === 126 ? 2 : 0;
  return 2 + extendedBytes + (head[1] & MASKED ? 4 : 0);
}

/** @param {Buffer} head whole */
function payloadLengthOf(head) {
  const length = head[1] & LENGTH;
  if (length === 127) return head.readUInt32BE(2) * 2 ** 32 + head.readUInt32BE(6);
  return length === 126 ? head.readUInt16BE(2) : length;
}

/** @param {Buffer} head */
function isControl(head) {
  return (head[0] & OPCODE) >= FIRST_CONTROL;
}
