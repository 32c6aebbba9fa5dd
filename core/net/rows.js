/** Tables in which everything that can be measured declares itself: a row each. */

/**
 * Makes a table of rows, each found by its name.
 * @template {{ name: string }} T @param {readonly T[]} rows @returns {Readonly<Record<string, T>>} in the same order
 */
export const byName = (rows) => Object.freeze(Object.fromEntries(rows.map((row) => [row.name, row])));

/**
 * Lists the names of the rows that are wanted.
 * @template {{ name: string }} T @param {Readonly<Record<string, T>>} table @param {(row: T) => unknown} isWanted
 */
export const namesOf = (table, isWanted) => Object.freeze(Object.keys(table).filter((name) => isWanted(table[name])));
