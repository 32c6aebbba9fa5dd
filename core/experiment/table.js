/** A table is declared once, as columns; pages, Markdown, CSV and terminals draw the same declaration. */
import { formatCsvLine, escape, visible } from '../base/foreign-text.js';
import { DASH } from '../base/format.js';

/** @import { Word } from './compare.js' */

/**
 * @template R row
 * @typedef {object} Column
 * @property {string} title
 * @property {string} [name] of its figures, for programs
 * @property {string} [unit] of its figures; stands behind the title
 * @property {boolean} [isText] holds words, not figures
 * @property {boolean} [isKey] says what its row is about: the same in another run of the experiment
 * @property {string} [explanation] where the title does not say it all
 * @property {(row: R, index: number) => any} value undefined where there is none; null where the cell before it reaches over
 *   this one, too
 * @property {(value: any) => string} [format] a value's text
 * @property {(row: R) => Mark | undefined} [mark] of a cell in a heat map
 */

/** @typedef {{ verdict: Word, ratio: number }} Mark what the colour of a cell means */

/**
 * @template R row
 * @typedef {{ columns: readonly Column<R>[], rows: readonly R[] }} Table
 */

/** @template R @param {string} title @param {(row: R) => string | undefined} value @returns {Column<R>} of words */
export const words = (title, value) => ({ title, isText: true, value });

/** @param {number} decimals @returns {(value: number) => string} a column's format */
export const fixed = (decimals) => (value) => value.toFixed(decimals);

/** @param {Pick<Column<any>, 'title' | 'unit'>} column @returns {string} what stands above it, like 'p50, ms' */
export const headOf = ({ title, unit }) => (unit ? `${title}, ${unit}` : title);

/** @param {Table<any>} table */
export const headsOf = ({ columns }) => columns.map(headOf);

/**
 * @param {Table<any>} table
 * @returns {string[][]} each row's cells, a dash where there is nothing to show; of a row whose last cell reaches to the end
 *   there are fewer
 */
export function cellsOf({ columns, rows }) {
  return rows.map((row, index) =>
    columns.map((column) => textOf(column, row, index, DASH)).filter((text) => text !== null),
  );
}

/** @param {Column<any>} column @param {any} row @param {number} index @param {string} absent */
function textOf({ value: valueOf, format = String }, row, index, absent) {
  const value = valueOf(row, index);
  return value === null ? null : value === undefined ? absent : format(value);
}

/**
 * @param {Table<any>} table @param {(row: any) => string} headOfRow what stands above the column that a row becomes
 * @param {string} [corner] what stands above the heads of the columns @returns {Table<any>} with a column for each row
 */
export function turn({ columns, rows }, headOfRow, corner = '') {
  return {
    columns: [
      { title: corner, isText: true, value: headOf },
      ...rows.map((row, index) => ({
        title: headOfRow(row),
        value: (/** @type {Column<any>} */ column) => textOf(column, row, index, DASH),
      })),
    ],
    rows: columns,
  };
}

/** @param {Table<any>} table @returns {string[]} lines */
export function toMarkdown(table) {
  const { columns } = table;
  const lines = cellsOf(table).map((cells) => columns.map((_, column) => escape(cells[column] ?? '')));
  const marks = columns.map(({ isText }) => (isText ? '---' : '---:'));
  return [headsOf(table).map(escape), marks, ...lines].map((cells) => `| ${cells.join(' | ')} |`);
}

/** @param {Table<any>} table whose titles are names for programs @returns {string} with a header; what is absent stays empty */
export function toCsv({ columns, rows }) {
  const lines = rows.map((row, index) => columns.map((column) => textOf(column, row, index, '') ?? ''));
  return [columns.map(({ title }) => title), ...lines].map(formatCsvLine).join('');
}

/** @param {Table<any>} table @returns {string[]} lines for a terminal */
export const toText = (table) => align([headsOf(table), ...cellsOf(table)]);

/** @param {Table<any>} table of more columns than fit a terminal @returns {string[]} a line for each column */
export const toTurnedText = (table) => align(cellsOf(turn(table, () => '')));

/**
 * Servers name themselves: what they say must not steer a terminal.
 * @param {readonly (readonly string[])[]} lines of as many cells each as the first has, or fewer
 */
function align(lines) {
  const shown = lines.map((cells) => cells.map(visible));
  const widths = shown[0].map((_, column) => Math.max(...shown.map((cells) => cells[column]?.length ?? 0)));
  const padded = shown.map((cells) => cells.map((cell, column) => cell.padEnd(widths[column])));
  return padded.map((cells) => cells.join('  ').trimEnd());
}
