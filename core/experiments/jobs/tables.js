/**
 * The figures of poll or push as two tables, each of which fits a screen.
 */
import { formatJobsRow, isTextColumn, summarizeJobs, TITLES } from './report.js';

/** @import { Measured } from './summary.js' */

const FIRST_COST = 'Requests and messages a job';
const AFTER_COSTS = 'Told';

/** Those between the two are of what a way costs, all others of how soon one learns of a job. */
const COSTS = TITLES.slice(TITLES.indexOf(FIRST_COST), TITLES.indexOf(AFTER_COSTS));

const COLUMNS = Object.freeze({
  soon: columnsOf(TITLES.filter((title) => !COSTS.includes(title))),
  costs: columnsOf([TITLES[0], ...COSTS]),
});

/**
 * @typedef {object} JobsTable
 * @property {readonly string[]} titles
 * @property {(column: number) => boolean} isTextColumn
 * @property {readonly string[][]} rows
 */

/**
 * @param {Measured} measured
 * @returns {{ soon: JobsTable, costs: JobsTable }} how soon one learns of a job, and what that costs: by the same ways in
 *   the same order; together all columns
 */
export function tabulateJobs(measured) {
  const rows = summarizeJobs(measured).map(formatJobsRow);
  /** @param {readonly number[]} columns @returns {JobsTable} */
  const pick = (columns) => ({
    titles: columns.map((column) => TITLES[column]),
    isTextColumn: (place) => isTextColumn(columns[place]),
    rows: rows.map((cells) => columns.map((column) => cells[column])),
  });
  return { soon: pick(COLUMNS.soon), costs: pick(COLUMNS.costs) };
}

/** @param {readonly string[]} titles */
function columnsOf(titles) {
  return titles.map((title) => TITLES.indexOf(title));
}
