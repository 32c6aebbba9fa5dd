/**
 * What a client sends who wants to keep a server busy: each a block of frames that is repeated, after an opening.
 */
import { frame } from '../../test/support/payload-client.js';

const MIB = 1024 * 1024;
const BLOCK_BYTES = 64 * 1024;
/** SockJS takes it for a frame with a message; the other endpoints for a message that is wrong. */
const MESSAGE = '["x"]';
const PARTS = 1000;

/**
 * @typedef {object} Flood
 * @property {Buffer} [opening] sent once
 * @property {Buffer} block whole frames
 * @property {number} frameCount in a block
 */

/**
 * @param {Buffer} one frame
 * @param {Buffer} [opening]
 * @returns {Flood}
 */
function repeated(one, opening) {
  const frameCount = Math.ceil(BLOCK_BYTES / one.length);
  return { opening, block: Buffer.concat(Array(frameCount).fill(one)), frameCount };
}

/** @type {Record<string, Flood>} */
export const FLOODS = {
  pings: repeated(frame('', { opcode: 9 })),
  pongs: repeated(frame('', { opcode: 10 })),
  'tiny texts': repeated(frame(MESSAGE)),
  'empty texts': repeated(frame('')),
  'empty fragments': repeated(frame('', { opcode: 0, fin: false }), frame('', { fin: false })),
  'one-byte fragments': repeated(frame('x', { opcode: 0, fin: false }), frame('[', { fin: false })),
  'messages in 1,000 parts': { block: inParts(`["${'x'.repeat(PARTS - 4)}"]`), frameCount: PARTS },
  '1 MiB messages': { block: frame(`["${'x'.repeat(MIB - 4)}"]`), frameCount: 1 },
};

/** @param {string} text of one byte a part */
function inParts(text) {
  const last = text.length - 1;
  return Buffer.concat([...text].map((byte, i) => frame(byte, { opcode: i === 0 ? 1 : 0, fin: i === last })));
}
