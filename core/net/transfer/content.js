/**
 * What the payload experiment sends: text without a pattern, the same on both sides, so that either can check each byte
 * without having been told it.
 *
 * Each character is one byte of UTF-8 and one of the 64 of base64url: as text it needs no escaping, and as bytes it is
 * the same, so every transport carries the same. A compressor could save the two bits a byte that are never set, but
 * nothing else; none is at work anywhere.
 */
import { createRandom } from '../../base/random.js';

/** How far into the content a message may begin: neighbours that begin at different places are not alike. */
export const OFFSET_SPAN = 1024 * 1024;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const SEED = 20_121_109;
/** Of six bits each: as many as one random number of 32 bits has. */
const CHARACTERS_PER_NUMBER = 5;

/**
 * A message of n bytes is `createContent(OFFSET_SPAN + n).subarray(offset, offset + n)`.
 *
 * @param {number} length in bytes, 0 or more
 * @returns {Uint8Array} a shorter content is the beginning of a longer one
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
