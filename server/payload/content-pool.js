/**
 * The content of which downloads are parts: created at the first request, as it takes about 70 ms.
 */
import { createContent, OFFSET_SPAN } from '../../core/net/transfer/content.js';

/** @typedef {(download: { offset: number, bytes: number }) => Buffer} ContentPool returns a view of it, not a copy */

/** @param {number} mostBytes of one download @returns {ContentPool} */
export function createContentPool(mostBytes) {
  /** @type {Buffer | undefined} */
  let pool;
  return ({ offset, bytes }) => {
    pool ??= Buffer.from(createContent(OFFSET_SPAN + mostBytes).buffer);
    return pool.subarray(offset, offset + bytes);
  };
}
