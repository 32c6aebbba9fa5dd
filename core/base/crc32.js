/** CRC-32, as of zlib, gzip and PNG: RFC 1952, section 8, https://www.rfc-editor.org/rfc/rfc1952#section-8 */

/** The reversed polynomial, as the lowest bit comes first. */
const POLYNOMIAL = 0xedb88320;

const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
  return crc;
});

/** Returns the checksum as an unsigned 32-bit integer: 0xcbf43926 for '123456789'. @param {Uint8Array} bytes */
export function crc32(bytes) {
  let crc = 0xffffffff;
  for (let i = 0; i < bytes.length; i++) crc = TABLE[(crc ^ bytes[i]) & 0xff] ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

/**
 * Formats a checksum as in the server's answers.
 * @param {number} crc unsigned @returns {string} 8 hexadecimal digits, lower case
 */
export const formatCrc32 = (crc) => crc.toString(16).padStart(8, '0');
