/**
 * Keeps a body until it is complete, in little more memory than it has bytes, however small its chunks are.
 */

/** Chunks of this size are kept as they are; smaller ones are copied into blocks of it. */
const BLOCK_BYTES = 16 * 1024;

/** @typedef {ReturnType<typeof createHeldBody>} HeldBody */

export function createHeldBody() {
  /** @type {Buffer[]} */
  const full = [];
  /** Small chunks are copied into it. */
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
      // Most small bodies are one chunk, which is kept as it is, too.
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

    /** @returns {Buffer[]} all of it, in order; append nothing afterwards */
    blocks() {
      closeBlock();
      return full;
    },
  };
}
