/** Lines for a spreadsheet or for R: RFC 4180. */

/** A spreadsheet takes a cell that begins so for a formula. */
const FORMULA_START = /^[=+\-@\t\r]/;
/** But for what is one: a figure below 0. */
const NUMBER = /^-?\d+(\.\d+)?$/;

/** @param {readonly (string | number | undefined)[]} cells what is absent stays empty @returns {string} with its end */
export function formatCsvLine(cells) {
  return `${cells.map(quote).join(',')}\r\n`;
}

/** @param {string | number | undefined} cell */
function quote(cell = '') {
  const given = String(cell);
  const text = FORMULA_START.test(given) && !NUMBER.test(given) ? `'${given}` : given;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
