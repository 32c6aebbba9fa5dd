/** Checks each byte of an answer, outside the timed part. */
import { crc32, formatCrc32 } from '../../base/crc32.js';
import { parseJson } from '../../base/foreign-text.js';
import { ExchangeError, parseRejection } from '../exchange-error.js';
import { toText } from './content.js';

/** @import { Message } from './content.js' */

/** An error shows this much of a wrong answer. */
const SHOWN_LENGTH = 80;

/**
 * @param {Message} message @param {string | ArrayBuffer} answer
 * @returns {ExchangeError | undefined} absent where each byte is right
 */
export function checkAnswer(message, answer) {
  // The content has no brace.
  const said = typeof answer === 'string' && answer.startsWith('{') ? parseJson(answer) : undefined;
  const rejection = parseRejection(said);
  if (rejection) return rejection;
  if (message.direction === 'up') return checkReceived(message, said, answer);
  return typeof answer === 'string' ? checkText(message, answer) : checkBinary(message, new Uint8Array(answer));
}

/** The server's receipt. @param {Message} message @param {any} said parsed @param {string | ArrayBuffer} answer */
function checkReceived({ bytes, binary }, said, answer) {
  const expected = { bytes, crc32: formatCrc32(crc32(binary)) };
  if (said?.bytes === expected.bytes && said.crc32 === expected.crc32) return undefined;
  return mismatch(`Expected ${JSON.stringify(expected)} of the server, got ${show(answer)}.`);
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
