/**
 * Formats the values of a figure as a table.
 */
import { formatWithRange } from '../core/base/format.js';
import { median } from '../core/base/statistics.js';
import { toMarkdown, words } from '../core/experiment/table.js';

/**
 * @import { Interval } from '../core/base/statistics.js'
 * @import { Column } from '../core/experiment/contract.js'
 *
 * @typedef {{ place: readonly string[], kind: string, interval?: Interval }} Cell
 */

/**
 * Formats a table whose cells are intervals: a row for each place, a column for each kind.
 *
 * @param {readonly string[]} heads of the columns that name a place
 * @param {readonly Cell[]} cells
 */
export function tabulate(heads, cells) {
  const kinds = [...new Set(cells.map(({ kind }) => kind))];
  const places = [...new Set(cells.map(({ place }) => place.join(', ')))];
  const rows = places.map((name) => cells.filter(({ place }) => place.join(', ') === name));
  /** @type {Column<readonly Cell[]>[]} */
  const columns = [
    ...heads.map((head, index) => words(head, (/** @type {readonly Cell[]} */ row) => row[0].place[index])),
    ...kinds.map((title) => ({
      title,
      value: (/** @type {readonly Cell[]} */ row) => row.find(({ kind }) => kind === title)?.interval,
      format: formatWithRange,
    })),
  ];
  return toMarkdown({ columns, rows }).join('\n');
}

/** @param {readonly number[]} repeats @returns {Interval | undefined} their median and range; absent without any */
export function rangeOf(repeats) {
  const estimate = median(repeats);
  return estimate === undefined ? undefined : { estimate, low: Math.min(...repeats), high: Math.max(...repeats) };
}
