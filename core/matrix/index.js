/**
 * Answers side by side, as a matrix: rows are the places of a study or compared runs, columns the questions that somebody measured.
 */
import { titlesOf } from '../experiment/run/names.js';
import { cellOf, columnOf, otherSubjectsOf } from './cells.js';
import { groupByPlace, rowOf } from './places.js';
import { summarize } from './sentence.js';

/**
 * @import { FullTestPart } from '../experiment/contract.js'
 * @import { MatrixCell, MatrixColumn } from './cells.js'
 * @import { SharedRun, Unanswered } from './places.js'
 * @typedef {Unanswered & { cells: readonly MatrixCell[] }} Answered `cells`: one for each column
 * @typedef {Omit<Answered, 'runs'> & { runCount: number, warnedCount: number }} MatrixRow `warnedCount`: of its runs, those with warnings
 * @typedef {object} Matrix
 * @property {'place' | 'run'} of what its rows are
 * @property {string} sentence that sums it up; empty for a single run
 * @property {number} runCount of all its runs
 * @property {{ from: string, to: string } | undefined} days ISO 8601, when they were measured
 * @property {readonly MatrixColumn[]} columns the questions that somebody measured
 * @property {readonly MatrixRow[]} rows
 * @property {{ nameless: number, silent: number, doubtful: number, other: number, otherSubjects: readonly string[], older: number
 *   }} leftOut runs without a place; those that answer no question; answers with a serious warning; answers that compare something
 *   else, and what; runs that are older than the newest, which it sums up
 * @typedef {readonly { name: string, fullTest?: FullTestPart }[]} Asked the experiments; columns are in their order, news and sending first
 */

/**
 * @param {readonly SharedRun[]} runs with one label, in any order @param {Asked} experiments
 * @param {{ olderCount?: number }} [options] `olderCount`: of the label's runs that are not among `runs`
 * @returns {Matrix} whose rows are places
 */
export function createStudy(runs, experiments, { olderCount = 0 } = {}) {
  // A run that ended early answers nothing, nor does a test without a verdict.
  const answering = runs.filter(({ isValid, digest }) => isValid !== false && digest.answers?.length);
  const { places, nameless } = groupByPlace(answering);
  const left = { nameless: nameless.length, silent: runs.length - answering.length, older: olderCount };
  return createMatrix('place', places, { experiments, runCount: runs.length, left });
}

/**
 * @param {readonly SharedRun[]} runs in the order of rows @param {Asked} experiments
 * @param {readonly string[]} [names] of the runs
 * @returns {Matrix} whose rows are runs
 */
export function createComparison(runs, experiments, names = titlesOf(runs)) {
  const rows = runs.map((run, i) => ({
    ...rowOf(run.id, [run]),
    name: names[i],
    number: run.number ?? i + 1,
    isValid: run.digest.isValid,
  }));
  return createMatrix('run', rows, { experiments, runCount: runs.length, left: { nameless: 0, silent: 0, older: 0 } });
}

/**
 * @param {Matrix['of']} of @param {readonly Unanswered[]} unanswered rows
 * @param {{ experiments: Asked, runCount: number, left: { nameless: number, silent: number, older: number } }} given
 * @returns {Matrix}
 */
function createMatrix(of, unanswered, { experiments, runCount, left }) {
  const all = unanswered.flatMap(({ runs }) => runs);
  const columns = experiments
    .flatMap(({ name, fullTest }) => (fullTest ? (columnOf(all, { name, question: fullTest.question }) ?? []) : []))
    // In the order of the sentence.
    .sort((a, b) => orderOf(a) - orderOf(b));
  const answered = unanswered.map((row) => ({ ...row, cells: columns.map((column) => cellOf(row, column)) }));
  const cells = answered.flatMap((row) => row.cells);
  const sum = (/** @type {'doubtfulCount' | 'otherCount'} */ name) =>
    cells.reduce((count, cell) => count + cell[name], 0);
  const otherSubjects = [...new Set(columns.flatMap((column) => otherSubjectsOf(all, column)))];
  return {
    of,
    sentence: summarize({ of, rows: answered, columns }),
    runCount,
    days: daysOf(answered),
    columns,
    rows: answered.map(({ runs, ...row }) => ({
      ...row,
      runCount: runs.length,
      warnedCount: runs.filter(({ digest }) => (digest.warningCount ?? 0) > 0).length,
    })),
    leftOut: { ...left, doubtful: sum('doubtfulCount'), other: sum('otherCount'), otherSubjects },
  };
}

/** @param {MatrixColumn} column */
const orderOf = ({ topic }) => (topic === 'news' ? 0 : topic === 'sending' ? 1 : 2);

/** @param {readonly Unanswered[]} rows */
function daysOf(rows) {
  const all = rows.flatMap(({ days }) => [days.from, days.to]).sort();
  return all.length > 0 ? { from: all[0], to: all[all.length - 1] } : undefined;
}
