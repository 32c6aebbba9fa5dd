/**
 * The answer to an upload: its length and CRC-32.
 */
import { crc32 } from 'node:zlib';
import { formatCrc32 } from '../../core/base/crc32.js';

export function createReceipt() {
  let bytes = 0;
  let crc = 0;
  return {
    /** @param {Buffer | string} part text counts as its UTF-8 */
    add(part) {
      bytes += Buffer.byteLength(part);
      crc = crc32(part, crc);
    },
    /** @returns {string} JSON */
    format: () => JSON.stringify({ bytes, crc32: formatCrc32(crc) }),
  };
}

/** @param {Buffer | string} message @returns {string} JSON */
export function receiptOf(message) {
  const receipt = createReceipt();
  receipt.add(message);
  return receipt.format();
}
