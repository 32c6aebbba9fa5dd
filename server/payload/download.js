/**
 * The request of a download.
 */
import { OFFSET_SPAN } from '../../core/net/transfer/content.js';
import { RefusalError } from '../http/answer.js';
import { checkNumber, parseFields, parseMessage, show, toNumber } from '../http/input.js';

/**
 * @typedef {object} Download
 * @property {number} bytes
 * @property {number} offset of its first byte in the content
 */

/**
 * @param {string} query of a URL, without `?`
 * @param {number} mostBytes
 * @returns {Download}
 * @throws {RefusalError}
 */
export function parseDownloadQuery(query, mostBytes) {
  const { bytes, offset } = parseFields('field', query, ['bytes', 'offset']);
  return checkDownload({ bytes: toNumber(bytes), offset: toNumber(offset) }, mostBytes);
}

/**
 * @param {string} text JSON
 * @param {number} mostBytes
 * @param {{ mayBeBinary: boolean }} options whether the transport distinguishes text from bytes
 * @returns {Download & { binary: boolean }}
 * @throws {RefusalError}
 */
export function parseDownloadMessage(text, mostBytes, { mayBeBinary }) {
  const names = /** @type {const} */ (['bytes', 'offset', 'binary']);
  const { binary = false, ...numbers } = parseMessage('field', text, mayBeBinary ? names : names.slice(0, 2));
  if (typeof binary === 'boolean') return { ...checkDownload(numbers, mostBytes), binary };
  throw new RefusalError('bad-field', `binary: expected true or false, got ${show(binary)}`);
}

/** @param {{ bytes?: unknown, offset?: unknown }} fields @param {number} mostBytes @returns {Download} */
function checkDownload({ bytes, offset = 0 }, mostBytes) {
  if (Number.isInteger(bytes) && Number(bytes) > mostBytes) {
    throw new RefusalError('too-large', `bytes: expected at most ${mostBytes}, got ${bytes}`, 413);
  }
  return {
    bytes: checkNumber('field', 'bytes', bytes, 0, mostBytes),
    offset: checkNumber('field', 'offset', offset, 0, OFFSET_SPAN - 1),
  };
}
