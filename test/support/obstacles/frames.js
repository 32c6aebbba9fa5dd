/**
 * The frames of a WebSocket's bytes: https://www.rfc-editor.org/rfc/rfc6455#section-5.2
 */

const NO_BYTES = Buffer.alloc(0);
const CONTINUATION = 0;
const BINARY = 2;
const FIRST_CONTROL = 8;

/**
 * @typedef {{ opcode: number, isFinal: boolean }} Frame
 * @typedef {(frame: Frame) => boolean} IsPassed asked once about each frame, in their order
 */

/**
 * Whole frames are passed on or dropped; their bytes stay as they are, and none waits for the end of its frame.
 *
 * @param {IsPassed} isPassed
 * @returns {(bytes: Buffer) => Buffer} what is to be passed on of the bytes that came
 */
export function createFrameFilter(isPassed) {
  let head = NO_BYTES;
  let restBytes = 0;
  let isPassing = false;

  /** @param {Buffer} bytes */
  function* filter(bytes) {
    while (bytes.length > 0) {
      if (restBytes > 0) {
        const part = bytes.subarray(0, restBytes);
        restBytes -= part.length;
        bytes = bytes.subarray(part.length);
        if (isPassing) yield part;
        continue;
      }
      head = Buffer.concat([head, bytes]);
      const headBytes = headBytesOf(head);
      if (head.length < headBytes) return;
      isPassing = isPassed({ opcode: head[0] & 0x0f, isFinal: (head[0] & 0x80) !== 0 });
      if (isPassing) yield head.subarray(0, headBytes);
      restBytes = payloadBytesOf(head);
      bytes = head.subarray(headBytes);
      head = NO_BYTES;
    }
  }

  return (bytes) => Buffer.concat([...filter(bytes)]);
}

/** @returns {IsPassed} */
export function textOnly() {
  let isBinary = false;
  return ({ opcode }) => {
    if (opcode >= FIRST_CONTROL) return true;
    if (opcode !== CONTINUATION) isBinary = opcode === BINARY;
    return !isBinary;
  };
}

/** Nothing after the first message, not even a ping or a close. @returns {IsPassed} */
export function firstMessageOnly() {
  let isOver = false;
  return ({ opcode, isFinal }) => {
    if (isOver) return false;
    isOver = isFinal && opcode < FIRST_CONTROL;
    return true;
  };
}

/** @param {Buffer} bytes the beginning of a frame @returns {number} of its head, or more than there are */
function headBytesOf(bytes) {
  if (bytes.length < 2) return 2;
  const maskBytes = bytes[1] & 0x80 ? 4 : 0;
  return 2 + ({ 126: 2, 127: 8 }[bytes[1] & 0x7f] ?? 0) + maskBytes;
}

/** @param {Buffer} head of a frame */
function payloadBytesOf(head) {
  const length = head[1] & 0x7f;
  if (length === 126) return head.readUInt16BE(2);
  return length === 127 ? Number(head.readBigUInt64BE(2)) : length;
}
