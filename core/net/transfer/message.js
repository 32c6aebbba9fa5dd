/** The messages of the payload experiment: a part of the content each, as long as asked for. */
import { createContent, OFFSET_SPAN } from './content.js';

/** @import { Direction, Form } from './index.js' */

/**
 * @typedef {object} Message
 * @property {Direction} direction
 * @property {number} bytes how long
 * @property {number} offset where it begins in the content
 * @property {Form} form
 * @property {Uint8Array} binary a view of the content, not to be written to
 * @property {string} [text] the same, a character a byte; absent where it is not sent as text
 */

/**
 * @param {number} mostBytes the longest message that will be asked for
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
 * A string of its own: a part of a longer one would be copied when it is sent, and that is timed.
 *
 * @param {Uint8Array} ascii
 * @returns {string}
 */
export function toText(ascii) {
  return new TextDecoder().decode(ascii);
}

/**
 * Where messages begin: no two neighbours at the same place, so that nothing between can know one by the other.
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
