/**
 * What both databases store, and give back as it was. SQLite cuts text off at U+0000, and PostgreSQL refuses it; half of
 * a surrogate pair becomes U+FFFD; PostgreSQL indexes no more than 2704 bytes.
 */

/** Of text that lists are filtered by: its characters have at most 4 bytes. */
export const MAX_INDEXED_CHARACTERS = 500;

/** @param {unknown} value @returns {value is string} */
export function isStorableText(value) {
  return typeof value === 'string' && !/[\0\p{Surrogate}]/u.test(value);
}

/**
 * @param {string} name
 * @param {unknown} value
 * @param {number} [maxLength]
 * @returns {string} the value
 * @throws {RangeError}
 */
export function checkText(name, value, maxLength = Infinity) {
  // Not its length, which counts what is beyond the first 65,536 twice.
  if (isStorableText(value) && [...value].length <= maxLength) return value;
  const limit = maxLength === Infinity ? '' : ` of at most ${maxLength} characters`;
  throw new RangeError(`${name}: expected text${limit} without U+0000 or halves of a pair, got ${describe(value)}`);
}

/**
 * @param {string} name
 * @param {unknown} value
 * @returns {number} the value
 * @throws {RangeError}
 */
export function checkNumber(name, value) {
  if (Number.isFinite(value)) return /** @type {number} */ (value);
  throw new RangeError(`${name}: expected a finite number, got ${describe(value)}`);
}

/**
 * @param {string} name
 * @param {unknown} value
 * @returns {Buffer} the same bytes
 * @throws {RangeError}
 */
export function checkBytes(name, value) {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  throw new RangeError(`${name}: expected bytes, got ${describe(value)}`);
}

/** @param {unknown} value */
function describe(value) {
  return typeof value === 'string' ? `${JSON.stringify(value.slice(0, 50))} (${value.length} long)` : String(value);
}

/**
 * @param {Uint8Array | ArrayBuffer} got libsql has the one, pg a Buffer
 * @returns {Uint8Array}
 */
export function toBytes(got) {
  return got instanceof ArrayBuffer ? new Uint8Array(got) : new Uint8Array(got.buffer, got.byteOffset, got.byteLength);
}
