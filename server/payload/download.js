/**
 * What a client asks for when it asks for a download.
 */
import { OFFSET_SPAN } from '../../core/net/transfer/content.js';
import { parseObject } from '../echo/parse-object.js';

const DIGITS = /^\d{1,15}$/;
const SHOWN_CHARACTERS = 40;

/**
 * @typedef {object} Download
 * @property {number} bytes
 * @property {number} offset where in the content it begins
 */

/** What was asked for is wrong; the message says what was expected. */
export class DownloadError extends RangeError {
  /**
   * @param {string} code for programs
   * @param {string} message
   */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/**
 * @param {string} query what follows the `?` of a URL
 * @param {number} mostBytes
 * @returns {Download}
 * @throws {DownloadError}
 */
export function parseDownloadQuery(query, mostBytes) {
  const fields = [...new URLSearchParams(query)];
  const names = fields.map(([name]) => name);
  refuseOthers(names, ['bytes', 'offset']);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) throw new DownloadError('bad-field', `${twice}: expected it once, got it again`);
  const digits = fields.map(([name, text]) => [name, DIGITS.test(text) ? Number(text) : text]);
  return checkDownload(Object.fromEntries(digits), mostBytes);
}

/**
 * @param {string} text JSON
 * @param {number} mostBytes
 * @param {{ mayBeBinary: boolean }} options whether the transport tells text from bytes
 * @returns {Download & { binary: boolean }}
 * @throws {DownloadError}
 */
export function parseDownloadMessage(text, mostBytes, { mayBeBinary }) {
  const fields = parseObject(text);
  if (!fields) throw new DownloadError('bad-json', `message: expected a JSON object, got ${show(text)}`);
  refuseOthers(Object.keys(fields), mayBeBinary ? ['bytes', 'offset', 'binary'] : ['bytes', 'offset']);
  const { binary = false, ...numbers } = fields;
  if (typeof binary !== 'boolean') {
    throw new DownloadError('bad-field', `binary: expected true or false, got ${show(binary)}`);
  }
  return { ...checkDownload(numbers, mostBytes), binary };
}

/**
 * @param {Record<string, unknown>} fields
 * @param {number} mostBytes
 * @returns {Download}
 */
function checkDownload({ bytes, offset = 0 }, mostBytes) {
  if (Number.isInteger(bytes) && Number(bytes) > mostBytes) {
    throw new DownloadError('too-large', `bytes: expected at most ${mostBytes}, got ${bytes}`);
  }
  return { bytes: checkNumber('bytes', bytes, mostBytes), offset: checkNumber('offset', offset, OFFSET_SPAN - 1) };
}

/**
 * @param {string} name
 * @param {unknown} value
 * @param {number} most
 */
function checkNumber(name, value, most) {
  if (Number.isInteger(value) && Number(value) >= 0 && Number(value) <= most) return Number(value);
  throw new DownloadError('bad-field', `${name}: expected a whole number from 0 to ${most}, got ${show(value)}`);
}

/**
 * @param {string[]} given
 * @param {string[]} names
 */
function refuseOthers(given, names) {
  const other = given.find((name) => !names.includes(name));
  if (other !== undefined) {
    throw new DownloadError('bad-field', `field: expected ${names.join(', ')}, got ${show(other)}`);
  }
}

/** @param {unknown} value */
function show(value) {
  if (value === undefined) return 'none';
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  const text = String(value);
  return `'${text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text}'`;
}
