/** Declares a table once, as columns; pages, Markdown, CSV and terminals render the same declaration. */
import { formatCsvLine, escape, visible } from '../base/foreign-text.js';
import { DASH } from '../base/format.js';

/** @import { Column, Table } from './contract.js' */

/**
 * Declares a column of texts.
 * @template R @param {string} title @param {(row: R) => string | undefined} value @returns {Column<R>} of texts
 */
export const words = (title, value) => ({ title, isText: true, value });

/** @param {number} decimals @returns {(value: number) => string} a column's format */
export const fixed = (decimals) => (value) => value.toFixed(decimals);

/** @param {{ title: string, unit?: string }} column @returns {string} its head, such as 'p50, ms' */
export const headOf = ({ title, unit }) => (unit ? `${title}, ${unit}` : title);

/** Returns the heads of all columns. @param {Table<any>} table */
export const headsOf = ({ columns }) => columns.map(headOf);

/**
 * Returns the cells: a dash if there is no value; fewer cells if the last one spans the rest.
 * @param {Table<any>} table
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
 * Makes a column of each row.
 * @param {Table<any>} table @param {(row: any) => string} headOfRow @param {string} [corner] @returns {Table<any>}
 */
export function turn({ columns, rows }, headOfRow, corner = '') {
  return {
    columns: [
      { title: corner, isText: true, value: headOf, note: ({ explanation }) => explanation },
      ...rows.map((row, index) => ({
        title: headOfRow(row),
        value: (/** @type {Column<any>} */ column) => textOf(column, row, index, DASH),
      })),
    ],
    rows: columns,
  };
}

/** Formats a table in Markdown. @param {Table<any>} table @returns {string[]} lines */
export function toMarkdown(table) {
  const { columns } = table;
  const lines = cellsOf(table).map((cells) => columns.map((_, column) => escape(cells[column] ?? '')));
  const marks = columns.map(({ isText }) => (isText ? '---' : '---:'));
  return [headsOf(table).map(escape), marks, ...lines].map((cells) => `| ${cells.join(' | ')} |`);
}

/**
 * @param {Table<any>} table whose titles are names for programs
 * @returns {string} with a header; absent values are empty cells
 */
export function toCsv({ columns, rows }) {
  const lines = rows.map((row, index) => columns.map((column) => textOf(column, row, index, '') ?? ''));
  return [columns.map(({ title }) => title), ...lines].map(formatCsvLine).join('');
}

/** @param {Table<any>} table @returns {string[]} lines for a terminal */
export const toText = (table) => align([headsOf(table), ...cellsOf(table)]);

/** @param {Table<any>} table of more columns than fit a terminal @returns {string[]} a line for each column */
export const toTurnedText = (table) => align(cellsOf(turn(table, () => '')));

/**
 * Aligns cells, which must not control a terminal, as servers choose some texts.
 * @param {readonly (readonly string[])[]} lines of cells
 */
function align(lines) {
  const shown = lines.map((cells) => cells.map(visible));
  const widths = shown[0].map((_, column) => Math.max(...shown.map((cells) => cells[column]?.length ?? 0)));
  const padded = shown.map((cells) => cells.map((cell, column) => cell.padEnd(widths[column])));
  return padded.map((cells) => cells.join('  ').trimEnd());
}
