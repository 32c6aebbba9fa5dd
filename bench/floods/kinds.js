/**
 * What a client sends who wants to keep a server busy: each a block of frames that is repeated, after an opening.
 */
import { frame } from '../../test/support/payload-client.js';

const MIB = 1024 * 1024;
const BLOCK_BYTES = 64 * 1024;
const PARTS = 1000;
/** In a frame of SockJS's; to the others it is one message. */
const MESSAGES = 10_000;
/** A session of SockJS's takes frames with messages, all other sockets messages as they are. */
const SESSION_PATH = /\/[^/]+\/[^/]+\/websocket/;

/**
 * @typedef {object} Flood
 * @property {Buffer} [opening] sent once
 * @property {Buffer} block whole frames
 * @property {number} frameCount in a block
 */

/** @param {Buffer} one frame @param {Buffer} [opening] @returns {Flood} */
function repeated(one, opening) {
  const frameCount = Math.ceil(BLOCK_BYTES / one.length);
  return { opening, block: Buffer.concat(Array(frameCount).fill(one)), frameCount };
}

/** @type {Record<string, (wrap: (text: string) => string) => Flood>} */
const FLOODS = {
  pings: () => repeated(frame('', { opcode: 9 })),
  pongs: () => repeated(frame('', { opcode: 10 })),
  'tiny texts': (wrap) => repeated(frame(wrap('{}'))),
  'empty texts': () => repeated(frame('')),
  'empty fragments': () => repeated(frame('', { opcode: 0, fin: false }), frame('', { fin: false })),
  'one-byte fragments': () => repeated(frame('x', { opcode: 0, fin: false }), frame('x', { fin: false })),
  'messages in 1,000 parts': (wrap) => ({ block: inParts(echoOf(PARTS, wrap)), frameCount: PARTS }),
  'frames full of messages': () => ({ block: frame(JSON.stringify(Array(MESSAGES).fill('{}'))), frameCount: 1 }),
  '1 MiB messages': (wrap) => ({ block: frame(echoOf(MIB, wrap)), frameCount: 1 }),
};

export const FLOOD_KINDS = Object.keys(FLOODS);

/** Made once: a block takes longer to make than to send. @type {Map<string, Flood>} */
const made = new Map();

/**
 * @param {string} kind of {@link FLOOD_KINDS}
 * @param {string} path of the socket
 * @returns {Flood}
 */
export function floodOf(kind, path) {
  const isSession = SESSION_PATH.test(path);
  const key = `${kind} ${isSession}`;
  const flood = made.get(key) ?? FLOODS[kind](isSession ? (text) => JSON.stringify([text]) : (text) => text);
  made.set(key, flood);
  return flood;
}

/**
 * @param {number} bytes
 * @param {(text: string) => string} wrap
 * @returns {string} a message of so many bytes that the echoes answer with as many
 */
function echoOf(bytes, wrap) {
  const textOf = (/** @type {number} */ length) => wrap(JSON.stringify({ count: 1, body: 'x'.repeat(length) }));
  return textOf(bytes - textOf(0).length);
}

/** @param {string} text of one byte a part */
function inParts(text) {
  const last = text.length - 1;
  return Buffer.concat([...text].map((byte, i) => frame(byte, { opcode: i === 0 ? 1 : 0, fin: i === last })));
}
