/** Text that somebody else wrote: refused, read as JSON, or made harmless to show, in Markdown and in spreadsheets. */

/**
 * What steers a terminal, turns the direction of text, or cannot be seen, but the joiners that some languages need:
 * https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters
 */
const UNSHOWN = '(?![\\u200c\\u200d])[\\p{Cc}\\p{Cf}\\p{Cs}\\u2028\\u2029]';
const ANY = new RegExp(UNSHOWN, 'gu');
const ANY_BUT_LINES = new RegExp(`(?![\\n\\t])${UNSHOWN}`, 'gu');

/**
 * A spreadsheet may take a cell that begins so for a formula: some skip white space, or read full-width signs as the others
 * (https://owasp.org/www-community/attacks/CSV_Injection). A figure below 0 is none.
 */
const FORMULA_START = /^[\s=+\-@\uff1d\uff0b\uff0d\uff20]/;
const NUMBER = /^-?\d+(\.\d+)?$/;

/** Somebody gave what cannot be used, and may give something else: "what: expected ..., got ...". */
export class InvalidInputError extends Error {
  /** @param {string} message @param {ErrorOptions} [options] */
  constructor(message, options) {
    super(message, options);
    this.name = 'InvalidInputError';
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

/** @param {string} text @returns {boolean} is it shown as it is? */
export const isVisible = (text) => text.search(ANY) < 0;

/** Of one line, each character that is not shown as a space: 'Chrome\u202e/1' is 'Chrome /1'. @param {string} text */
export const visible = (text) => text.replace(ANY, ' ');

/** All its texts as they may be shown; line breaks and tabs stay. @template T @param {T} value as of JSON @returns {T} */
export const visibleThroughout = (value) => /** @type {T} */ (map(value));

/** @param {unknown} value @returns {unknown} */
function map(value) {
  if (typeof value === 'string') return value.replace(ANY_BUT_LINES, ' ');
  if (Array.isArray(value)) return value.map(map);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, map(part)]));
}

/** For Markdown: text and nothing else, as servers and browsers name themselves. @param {string} text */
export const escape = (text) => text.replace(/[\\|<>`*_[\]]/g, '\\$&').replace(/\s+/g, ' ');

/** A line of CSV by RFC 4180, with its end. @param {readonly (string | number | undefined)[]} cells absent: stays empty */
export const formatCsvLine = (cells) => `${cells.map(quote).join(',')}\r\n`;

/** @param {string | number | undefined} cell */
function quote(cell = '') {
  const given = String(cell);
  const text = FORMULA_START.test(given) && !NUMBER.test(given) ? `'${given}` : given;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
