/**
 * What the payload experiment sends: pseudo-random text that client and server generate alike, so that either can check
 * each byte. Each character is one of the 64 of base64url, one byte in UTF-8, and needs no escaping in JSON: every transport sends the
 * same bytes. Compression could save the two bits per byte that are never set; none is used.
 */
import { createRandom } from '../../base/random.js';

/** @import { Direction, Form } from './index.js' */

/** The number of offsets at which a message may begin: consecutive messages differ. */
export const OFFSET_SPAN = 1024 * 1024;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const SEED = 20_121_109;
/** Of six bits each, from one random number of 32 bits. */
const CHARACTERS_PER_NUMBER = 5;

/**
 * @typedef {object} Message a part of the content
 * @property {Direction} direction
 * @property {number} bytes its length
 * @property {number} offset of its first byte in the content
 * @property {Form} form
 * @property {Uint8Array} binary a read-only view of the content
 * @property {string} [text] the same, one character per byte; absent if it is not sent as text
 */

/**
 * A message of n bytes is `createContent(OFFSET_SPAN + n).subarray(offset, offset + n)`.
 * @param {number} length in bytes, 0 or more @returns {Uint8Array} a shorter content is the beginning of a longer one
 */
export function createContent(length) {
  const codes = Uint8Array.from(ALPHABET, (character) => character.charCodeAt(0));
  const content = new Uint8Array(length);
  const random = createRandom(SEED);
  for (let start = 0; start < length; start += CHARACTERS_PER_NUMBER) {
    let bits = Math.floor(random() * 2 ** 30);
    const end = Math.min(start + CHARACTERS_PER_NUMBER, length);
    for (let i = start; i < end; i++) {
      content[i] = codes[bits & 63];
      bits >>>= 6;
    }
  }
  return content;
}

/** Makes messages. @param {number} mostBytes of the longest */
export function createMessages(mostBytes) {
  const content = createContent(OFFSET_SPAN + mostBytes);
  /** @param {Pick<Message, 'direction' | 'bytes' | 'offset' | 'form'>} options @returns {Message} */
  return ({ direction, bytes, offset, form }) => {
    const binary = content.subarray(offset, offset + bytes);
    const message = { direction, bytes, offset, form, binary };
    return form === 'text' && direction !== 'down' ? { ...message, text: toText(binary) } : message;
  };
}

/** A new string: a slice of a longer one would be copied when it is sent, in the timed part. @param {Uint8Array} ascii */
export const toText = (ascii) => new TextDecoder().decode(ascii);

/** The offsets of messages: no two in a row are equal, so that nothing can reuse an answer. @param {() => number} random */
export function createOffsets(random) {
  let last = -1;
  return () => {
    let offset = Math.floor(random() * OFFSET_SPAN);
    if (offset === last) offset = (offset + 1) % OFFSET_SPAN;
    last = offset;
    return offset;
  };
}
