/**
 * The values of a figure, their table, and which of them have moved since they were kept.
 */
import { formatWithRange } from '../core/base/format.js';
import { median } from '../core/base/statistics.js';
import { toMarkdown, words } from '../core/experiment/table.js';

/**
 * @import { Interval } from '../core/base/statistics.js'
 * @import { Column } from '../core/experiment/contract.js'
 *
 * @typedef {{ name: string } & Interval} Value `low` and `high`: its 95% confidence interval, else the range of its repeats
 * @typedef {{ place: readonly string[], kind: string, interval?: Interval }} Cell
 * @typedef {{ name: string, before: Interval, after: Interval }} Move
 */

/** @param {string} name @param {Interval | undefined} interval @returns {Value[]} none where it was not measured */
export function toValues(name, interval) {
  if (!interval) return [];
  const { estimate, low, high } = interval;
  return [{ name, estimate, low, high }];
}

/**
 * A table whose cells are intervals: a row for each place, a column for each kind.
 *
 * @param {readonly string[]} heads of what names a place
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
  return {
    markdown: toMarkdown({ columns, rows }).join('\n'),
    values: cells.flatMap(({ place, kind, interval }) =>
      toValues((kinds.length > 1 ? [...place, kind] : place).join(', '), interval),
    ),
  };
}

/** @param {readonly number[]} repeats @returns {Interval | undefined} their median and range; absent without any */
export function rangeOf(repeats) {
  const estimate = median(repeats);
  return estimate === undefined ? undefined : { estimate, low: Math.min(...repeats), high: Math.max(...repeats) };
}

/**
 * @param {readonly Value[]} before as they were kept
 * @param {readonly Value[]} after as they are now
 * @returns {Move[]} those whose two intervals have nothing in common; none for what is new
 */
export function findMoved(before, after) {
  return after.flatMap(({ name, ...now }) => {
    const kept = before.find((value) => value.name === name);
    return kept && (now.low > kept.high || now.high < kept.low) ? [{ name, before: kept, after: now }] : [];
  });
}

/** @param {Move} move @returns {string} a line */
export const formatMove = ({ name, before, after }) =>
  `  ${name}: ${formatWithRange(before)}, now ${formatWithRange(after)}`;
