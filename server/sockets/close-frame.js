/**
 * What a server sends to close a WebSocket, whichever library serves it.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6455#section-5.5.1
 */

const FINAL_CLOSE = 0x88;

/**
 * @param {number} code
 * @param {string} reason at most 123 bytes
 * @returns {Buffer}
 * @example closeFrame(1008, '') // 88 02 03 f0
 */
export function closeFrame(code, reason) {
  const text = Buffer.from(reason);
  return Buffer.concat([Buffer.of(FINAL_CLOSE, 2 + text.length, code >> 8, code & 0xff), text]);
}
