/**
 * @param {Uint8Array | ArrayBuffer} got libsql has the one, pg a Buffer
 * @returns {Uint8Array}
 */
export function toBytes(got) {
  return got instanceof ArrayBuffer ? new Uint8Array(got) : new Uint8Array(got.buffer, got.byteOffset, got.byteLength);
}
