/**
 * Handles text from others: checks it, parses it as JSON, and makes it safe to show, in Markdown and in spreadsheets.
 */

/**
 * Characters that control a terminal, change the direction of text, or are invisible, except joiners that some
 * languages need: https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters
 */
const UNSHOWN = '(?![\\u200c\\u200d])[\\p{Cc}\\p{Cf}\\p{Cs}\\u2028\\u2029]';
const ANY = new RegExp(UNSHOWN, 'gu');
const ANY_BUT_LINES = new RegExp(`(?![\\n\\t])${UNSHOWN}`, 'gu');

/**
 * A spreadsheet may parse a cell that begins like this as a formula: some skip white space, or read full-width signs as
 * the others (https://owasp.org/www-community/attacks/CSV_Injection). A negative number is not a formula.
 */
const FORMULA_START = /^[\s=+\-@\uff1d\uff0b\uff0d\uff20]/;
const NUMBER = /^-?\d+(\.\d+)?$/;

/** An error in the input, which its author can correct: "what: expected ..., got ...". */
export class InvalidInputError extends Error {
  /**
   * @param {string} reason what was expected, and what came
   * @param {ErrorOptions & { fields?: readonly string[] }} [options] `fields`: the names of what is wrong, such as a link's
   *   parameters. Several are the factors of a product; a factor may be no parameter.
   */
  constructor(reason, { fields = [], ...options } = {}) {
    super(InvalidInputError.compose(reason, fields), options);
    this.name = 'InvalidInputError';
    this.fields = fields;
    this.reason = reason;
  }

  /** @param {string} reason @param {readonly string[]} names of the fields, for whoever reads it @returns {string} the message */
  static compose(reason, names) {
    return names.length > 0 ? `${names.join(' times ')}: ${reason}` : reason;
  }
}

/** @param {string | undefined} text @returns {any} absent where it is not JSON */
export function parseJson(text) {
  try {
    return JSON.parse(/** @type {string} */ (text));
  } catch {
    return undefined;
  }
}

/**
 * Decodes a file of JSON: UTF-8, or UTF-16 as PowerShell's `>` writes it, with or without a byte-order mark. JSON begins with
 * ASCII, and UTF-16 writes such a character as two bytes, one of them 0.
 * @param {Uint8Array} bytes @returns {string}
 */
export function decodeJsonFile(bytes) {
  const [first, second] = bytes;
  const isLittle = (first === 0xff && second === 0xfe) || second === 0;
  const isBig = (first === 0xfe && second === 0xff) || first === 0;
  return new TextDecoder(isLittle ? 'utf-16le' : isBig ? 'utf-16be' : 'utf-8').decode(bytes);
}

/** @param {string} text @returns {boolean} whether all its characters are visible */
export const isVisible = (text) => text.search(ANY) < 0;

/**
 * Replaces each invisible character of a line by a space: 'Chrome\u202e/1' becomes 'Chrome /1'.
 * @param {string} text
 */
export const visible = (text) => text.replace(ANY, ' ');

/** @type {Readonly<Record<string, string>>} */
const SHORT_ESCAPES = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Escapes each invisible character, as what is wrong with a text may be that it has one: '80\r' becomes '80\\r'.
 * @param {string} text
 */
export const escapeInvisible = (text) =>
  text.replace(ANY, (one) => SHORT_ESCAPES[one] ?? `\\u{${Number(one.codePointAt(0)).toString(16)}}`);

/**
 * Replaces invisible characters in all strings of a value; line breaks and tabs stay.
 * @template T @param {T} value as of JSON @returns {T}
 */
export const visibleThroughout = (value) => /** @type {T} */ (map(value));

/** @param {unknown} value @returns {unknown} */
function map(value) {
  if (typeof value === 'string') return value.replace(ANY_BUT_LINES, ' ');
  if (Array.isArray(value)) return value.map(map);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, map(part)]));
}

/** Letters that are written from right to left, such as Hebrew and Arabic ones. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * Isolates what is written from right to left, as else the numbers beside it change their places:
 * https://www.w3.org/International/articles/inline-bidi-markup/
 * @param {string} text a name within others @returns {string}
 */
export const isolate = (text) => (RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text);

/** Escapes text for Markdown, such as the names that servers and browsers report. @param {string} text */
export const escape = (text) => text.replace(/[\\|<>`*_[\]]/g, '\\$&').replace(/\s+/g, ' ');

/** A file of CSV begins with a byte-order mark: Excel reads others in the encoding of its system, as “ZÃ¼rich”. */
export const CSV_FILE_START = '\ufeff';

/**
 * Formats a line of CSV by RFC 4180, with its line break.
 * @param {readonly (string | number | undefined)[]} cells absent: stays empty
 */
export const formatCsvLine = (cells) => `${cells.map(quote).join(',')}\r\n`;

/** @param {string | number | undefined} cell */
function quote(cell = '') {
  // Programs read it: what isolates names is for the eye.
  const given = String(cell).replace(/[\u2068\u2069]/g, '');
  const text = FORMULA_START.test(given) && !NUMBER.test(given) ? `'${given}` : given;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
