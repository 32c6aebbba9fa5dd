/** Answers side by side, as a matrix: rows are places or runs, columns the questions that somebody measured. */
import { cellOf, columnOf } from './cells.js';

/**
 * @import { Experiment } from '../experiment/contract.js'
 * @import { Scope } from '../experiment/scope.js'
 * @import { StudyCell, StudyColumn } from './cells.js'
 * @import { StudyRun } from './places.js'
 */

/**
 * @template {{ scope: Scope, runs: readonly StudyRun[] }} R
 * @param {readonly R[]} rows in their order, each with the runs that its cells sum up
 * @param {readonly Pick<Experiment, 'name' | 'fullTest'>[]} experiments in the order of columns
 * @returns {{ columns: readonly StudyColumn[], rows: readonly (R & { cells: readonly StudyCell[] })[] }} `cells`: one for each column
 */
export function createMatrix(rows, experiments) {
  const runs = rows.flatMap((row) => row.runs);
  const columns = experiments.flatMap(({ name, fullTest }) =>
    fullTest ? (columnOf(runs, { name, question: fullTest.question }) ?? []) : [],
  );
  return { columns, rows: rows.map((row) => ({ ...row, cells: columns.map((column) => cellOf(row, column)) })) };
}
