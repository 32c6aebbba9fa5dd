/**
 * The content that downloads are cut from: made once, when the first is asked for, as it takes some 70 ms.
 */
import { createContent, OFFSET_SPAN } from '../../core/net/transfer/content.js';

/** @typedef {(download: { offset: number, bytes: number }) => Buffer} ContentPool gives a part of it, not a copy */

/** @param {number} mostBytes of one download @returns {ContentPool} */
export function createContentPool(mostBytes) {
  /** @type {Buffer | undefined} */
  let pool;
  return ({ offset, bytes }) => {
    pool ??= Buffer.from(createContent(OFFSET_SPAN + mostBytes).buffer);
    return pool.subarray(offset, offset + bytes);
  };
}
