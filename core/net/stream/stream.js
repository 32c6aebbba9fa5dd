/**
 * A stream: one answer that comes in many pieces. Its options say when each piece is due, so client and server know it without
 * telling each other.
 */
import { createRandom, MAX_SEED } from '../../base/random.js';

/**
 * @typedef {object} StreamOptions
 * @property {number} pieces their number
 * @property {number} bytes of text in each
 * @property {number} rate pieces per second on average; 0: as fast as possible
 * @property {number} spread of the time between two pieces: 0 for an even stream, 100 for one as random as words that come
 *   independently of each other
 * @property {number} seed
 * @property {number} [cut] the piece at which the server resets the connection, once; absent for none
 *
 * @typedef {object} Piece
 * @property {number} n
 * @property {number} ms when the server sent it, since it got the request
 * @property {string} text
 * @property {string} [id] of the stream, with the first piece over each connection
 * @property {true} [last]
 * @property {string} [tag] of the stream, where a connection carries several
 */

/** The ranges of a stream's options. The text of the longest fits what a server keeps for a client that does not read. */
export const STREAM_RANGES = Object.freeze({
  pieces: { min: 2, max: 1000 },
  bytes: { min: 1, max: 500 },
  rate: { min: 0, max: 100 },
  spread: { min: 0, max: 100 },
  seed: { min: 0, max: MAX_SEED },
});

/** The maximum duration of a stream. */
export const MAX_STREAM_MS = 60_000;

/** How many streams a connection may carry at once. */
export const MAX_STREAMS_AT_ONCE = 16;

/** What a stream over HTTP is made of. */
export const LINES_TYPE = 'application/x-ndjson';

/**
 * Computes when each piece is due. The times between pieces have the mean of the rate; a part of each, which is the spread, is
 * exponential.
 * @param {StreamOptions} options @returns {number[]} ms since the server got the request; the first is 0
 */
export function dueTimesOf({ pieces, rate, spread, seed }) {
  const random = createRandom(seed);
  const meanMs = rate === 0 ? 0 : 1000 / rate;
  const share = spread / 100;
  let dueMs = 0;
  return Array.from({ length: pieces }, (_, n) => {
    const gapMs = meanMs * (1 - share + share * -Math.log(1 - random()));
    return (dueMs += n === 0 ? 0 : gapMs);
  });
}

const WORDS =
  'it may take a while until the whole answer is here but the first words can be read as soon as they come and that is why it is sent in pieces ';
const LONG_TEXT = WORDS.repeat(Math.ceil((2 * STREAM_RANGES.bytes.max) / WORDS.length));

/** @param {number} n of a piece @param {number} bytes @returns {string} its text, the same on server and client */
export function textOf(n, bytes) {
  const from = (n * bytes) % WORDS.length;
  return LONG_TEXT.slice(from, from + bytes);
}

/** @param {StreamOptions} options @returns {string} the query of a request for a stream */
export function formatStreamQuery({ pieces, bytes, rate, spread, seed, cut }) {
  const whole = `pieces=${pieces}&bytes=${bytes}&rate=${rate}&spread=${spread}&seed=${seed}`;
  return cut === undefined ? whole : `${whole}&cut=${cut}`;
}
