/** Declares a table once, as columns; pages, Markdown, CSV and terminals render the same declaration. */
import { formatCsvLine, escape, visible } from '../../base/foreign-text.js';
import { DASH } from '../../base/format.js';
import { labelOf } from '../answer/labels.js';

/**
 * @import { Answer } from '../answer/answer.js'
 * @import { Judged, VerdictName } from '../answer/verdict.js'
 * @typedef {{ verdict: VerdictName, ratio: number }} Mark the meaning of a cell's colour
 *
 * @typedef {{ group: string, about: string }} HeatMap colours a table's cells; a comparison joins those about the same into one,
 *   with the columns of each group
 *
 * @typedef {{ heading?: string, note?: string, isDetail?: boolean, heatMap?: HeatMap, isFolded?: boolean, parts?:
 *   readonly (Table<any> & TableLook)[] }} TableLook `note`: about its figures, beneath it; on pages `isDetail`: folded
 *   with the method; `isFolded`: folded under its own heading; `parts`: shown instead of the whole table
 */

/**
 * @template R row
 * @typedef {object} Column
 * @property {string} title
 * @property {{ name: string, head: string }} [group] of columns beside each other, whose heads a page shows beneath its name
 * @property {string} [name] for programs
 * @property {string} [unit] of its figures; stands behind the title
 * @property {boolean} [isText] contains text, not figures
 * @property {boolean} [isKey] identifies the subject of its row, the same in another run of the experiment
 * @property {(row: R) => string} [idOf] the name of that subject in links and documents, if it has one
 * @property {string} [explanation] of the title
 * @property {(row: R, index: number) => any} value absent: a dash; null if the cell before it spans this one, too
 * @property {(value: any) => string} [format] a value's text
 * @property {(row: R) => Mark | undefined} [mark] of a cell in a heat map
 * @property {(row: R) => Judged | undefined} [judgedOf] what a text says, for its colour and its icon on pages
 * @property {(row: R) => Answer['mark'] | undefined} [answerMark] of a text that is no verdict, for the same
 * @property {(row: R) => string | undefined} [note] beneath a value, on pages
 */

/**
 * @template R row
 * @typedef {{ columns: readonly Column<R>[], rows: readonly R[] }} Table
 */

/**
 * Declares a column of texts.
 * @template R @param {string} title @param {(row: R) => string | undefined} value @returns {Column<R>} of texts
 */
export const words = (title, value) => ({ title, isText: true, value });

/** @param {number} decimals @returns {(value: number) => string} a column's format */
export const fixed = (decimals) => (value) => value.toFixed(decimals);

/**
 * Declares the column that names the transports of rows.
 * @param {(transport: string) => string} [label] of what the experiment calls transports
 */
export const transportColumn = (label = labelOf) => ({
  ...words('Transport', (/** @type {{ transport: string }} */ { transport }) => label(transport)),
  isKey: true,
  idOf: (/** @type {{ transport: string }} */ { transport }) => transport,
});

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

/** @param {any} value @returns {string} a count like '1,786' */
const formatPlain = (value) => (Number.isInteger(value) ? value.toLocaleString('en') : String(value));

/** @param {Column<any>} column @param {any} row @param {number} index @param {string} absent */
function textOf({ value: valueOf, isKey, format = isKey ? String : formatPlain }, row, index, absent) {
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
  const lines = rows.map((row, index) =>
    columns.map((column) => textOf({ format: String, ...column }, row, index, '') ?? ''),
  );
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
