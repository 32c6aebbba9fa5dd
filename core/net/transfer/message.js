/** The messages of the payload experiment: parts of the content. */
import { createContent, OFFSET_SPAN } from './content.js';

/** @import { Direction, Form } from './index.js' */

/**
 * @typedef {object} Message
 * @property {Direction} direction
 * @property {number} bytes its length
 * @property {number} offset of its first byte in the content
 * @property {Form} form
 * @property {Uint8Array} binary a read-only view of the content
 * @property {string} [text] the same, one character per byte; absent if it is not sent as text
 */

/**
 * @param {number} mostBytes of the longest message
 * @returns {(options: Pick<Message, 'direction' | 'bytes' | 'offset' | 'form'>) => Message}
 */
export function createMessages(mostBytes) {
  const content = createContent(OFFSET_SPAN + mostBytes);
  return ({ direction, bytes, offset, form }) => {
    const binary = content.subarray(offset, offset + bytes);
    const message = { direction, bytes, offset, form, binary };
    return form === 'text' && direction !== 'down' ? { ...message, text: toText(binary) } : message;
  };
}

/**
 * A new string: a slice of a longer one would be copied when it is sent, within the timed part.
 *
 * @param {Uint8Array} ascii
 * @returns {string}
 */
export function toText(ascii) {
  return new TextDecoder().decode(ascii);
}

/**
 * The offsets of messages. No two consecutive ones are equal, so that nothing in between can reuse an earlier answer.
 *
 * @param {() => number} random
 * @returns {() => number}
 */
export function createOffsets(random) {
  let last = -1;
  return () => {
    let offset = Math.floor(random() * OFFSET_SPAN);
    if (offset === last) offset = (offset + 1) % OFFSET_SPAN;
    last = offset;
    return offset;
  };
}
