/**
 * The content of the payload experiment: pseudo-random text that client and server generate alike, so that both can
 * check each byte. Each character is one of the 64 of base64url: one byte, not escaped in JSON, so every transport
 * sends the same.
 */
import { crc32, formatCrc32 } from '../../base/crc32.js';
import { parseJson } from '../../base/foreign-text.js';
import { createRandom } from '../../base/random.js';
import { ExchangeError, parseRejection } from '../exchange-error.js';

/**
 * @import { Direction, Form } from './index.js'
 * @typedef {{ direction: Direction, bytes: number, offset: number, form: Form, binary: Uint8Array, text?: string }} Message a
 *   part of the content, from `offset`: a read-only view, and the same as text where it is sent as such
 */

/** The number of offsets at which a message may begin: consecutive messages differ. */
export const OFFSET_SPAN = 1024 * 1024;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const SEED = 20_121_109;
/** The number of characters, of six bits each, from one random number of 32 bits. */
const CHARACTERS_PER_NUMBER = 5;

/** A message of n bytes is `createContent(OFFSET_SPAN + n).subarray(offset, offset + n)`. @param {number} length */
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

/** Makes messages. @param {number} maxBytes of the longest */
export function createMessages(maxBytes) {
  const content = createContent(OFFSET_SPAN + maxBytes);
  /** @param {{ direction: Message['direction'], bytes: number, offset: number, form: Message['form'] }} options @returns {Message} */
  return ({ direction, bytes, offset, form }) => {
    const binary = content.subarray(offset, offset + bytes);
    const message = { direction, bytes, offset, form, binary };
    return form === 'text' && direction !== 'down' ? { ...message, text: toText(binary) } : message;
  };
}

/**
 * Creates a new string: a slice of a longer one would be copied when it is sent, in the timed part.
 * @param {Uint8Array} ascii
 */
export const toText = (ascii) => new TextDecoder().decode(ascii);

/**
 * Creates the offsets of messages: no two in a row are equal, so that nothing can reuse an answer.
 * @param {() => number} random
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

const SHOWN_LENGTH = 80;

/** @param {Message} message @param {string | ArrayBuffer} answer @returns {ExchangeError | undefined} what is wrong */
export function checkAnswer(message, answer) {
  // The content has no brace.
  const said = typeof answer === 'string' && answer.startsWith('{') ? parseJson(answer) : undefined;
  const rejection = parseRejection(said);
  if (rejection) return rejection;
  if (message.direction === 'up') return checkReceived(message, said, answer);
  return typeof answer === 'string' ? checkText(message, answer) : checkBinary(message, new Uint8Array(answer));
}

/** @param {Message} message @param {any} said the server's receipt, parsed @param {string | ArrayBuffer} answer */
function checkReceived({ bytes, binary }, said, answer) {
  const expected = { bytes, crc32: formatCrc32(crc32(binary)) };
  if (said?.bytes === expected.bytes && said.crc32 === expected.crc32) return undefined;
  return mismatch(`Expected ${JSON.stringify(expected)} from the server, got ${show(answer)}.`);
}

/** @param {Message} message @param {string} answer */
function checkText({ binary, text, form, bytes }, answer) {
  if (form !== 'text') return mismatch(`Expected ${bytes} bytes in binary form, got text of ${answer.length}.`);
  if (answer === (text ?? toText(binary))) return undefined;
  return differs(binary, answer.length, (i) => answer.charCodeAt(i));
}

/** @param {Message} message @param {Uint8Array} answer */
function checkBinary({ binary, form, bytes }, answer) {
  if (form !== 'binary') return mismatch(`Expected text of ${bytes} bytes, got ${answer.length} in binary form.`);
  return differs(binary, answer.length, (i) => answer[i]);
}

/** @param {Uint8Array} expected @param {number} gotLength @param {(index: number) => number} at the byte received at an index */
function differs(expected, gotLength, at) {
  const { length } = expected;
  if (gotLength !== length) return mismatch(`Expected ${length} bytes, got ${gotLength}.`);
  for (let i = 0; i < length; i++) {
    if (at(i) !== expected[i]) return mismatch(`Byte ${i} of ${length}: expected ${expected[i]}, got ${at(i)}.`);
  }
  return undefined;
}

/** @param {string} message */
const mismatch = (message) => new ExchangeError('mismatch', message);

/** @param {string | ArrayBuffer} answer */
function show(answer) {
  if (typeof answer !== 'string') return `${answer.byteLength} bytes in binary form`;
  return answer ? `“${answer.slice(0, SHOWN_LENGTH)}”` : 'nothing';
}
