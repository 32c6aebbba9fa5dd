/**
 * A body that is kept until it is whole, in not much more memory than it has bytes, however small the chunks are that it
 * comes in.
 */

/** Chunks of this size are kept as they are; smaller ones are gathered in blocks of it. */
const BLOCK_BYTES = 16 * 1024;

/** @typedef {ReturnType<typeof createHeldBody>} HeldBody */

export function createHeldBody() {
  /** @type {Buffer[]} */
  const full = [];
  /** Into which small chunks are copied. */
  let block = Buffer.alloc(0);
  let filledBytes = 0;
  let totalBytes = 0;

  const closeBlock = () => {
    if (filledBytes > 0) full.push(block.subarray(0, filledBytes));
    block = Buffer.alloc(0);
    filledBytes = 0;
  };

  /** @param {Buffer} chunk */
  const gather = (chunk) => {
    const copiedBytes = chunk.copy(block, filledBytes);
    filledBytes += copiedBytes;
    if (copiedBytes === chunk.length) return;
    closeBlock();
    block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
    filledBytes = chunk.copy(block, 0, copiedBytes);
  };

  return {
    /** @param {Buffer} chunk */
    append(chunk) {
      // The usual small body is one chunk, which is kept as it is, too.
      const isKept = chunk.length >= BLOCK_BYTES || totalBytes === 0;
      totalBytes += chunk.length;
      if (!isKept) {
        gather(chunk);
        return;
      }
      closeBlock();
      full.push(chunk);
    },

    length: () => totalBytes,

    /** @returns {Buffer[]} all that came, in order; nothing is to be appended afterwards */
    blocks() {
      closeBlock();
      return full;
    },
  };
}
