/** A study: what one plan gave from several places, as a matrix of places by questions, and a sentence. */
import { byFrequency } from '../base/format.js';
import { createMatrix } from './index.js';
import { groupByPlace } from './places.js';
import { sayOf } from './rules.js';

/**
 * @import { Experiment } from '../experiment/contract.js'
 * @import { StudyCell, StudyColumn } from './cells.js'
 * @import { StudyPlace, StudyRun } from './places.js'
 * @typedef {Omit<StudyPlace, 'runs'> & { runCount: number, cells: readonly StudyCell[] }} StudyRow `cells`: one for each column
 * @typedef {object} Study
 * @property {string} sentence that sums it up
 * @property {string} subject what most runs compare; empty without runs
 * @property {number} runCount of all its runs
 * @property {{ from: string, to: string } | undefined} days ISO 8601, when they were measured
 * @property {readonly StudyColumn[]} columns the questions that somebody measured
 * @property {readonly StudyRow[]} rows
 * @property {{ nameless: number, silent: number, doubtful: number, other: number, older: number }} leftOut runs without a place;
 *   those that answer no question; answers with a weighty warning; answers that compare something else; runs that are older than
 *   the newest, which it sums up
 */

/**
 * @param {readonly StudyRun[]} runs in any order
 * @param {readonly Pick<Experiment, 'name' | 'fullTest'>[]} experiments in the order of columns
 * @param {{ olderCount?: number }} [options] `olderCount`: of the label's runs that are not among `runs`
 * @returns {Study}
 */
export function createStudy(runs, experiments, { olderCount = 0 } = {}) {
  // A run that ended early answers nothing, nor does a test without a verdict.
  const answering = runs.filter(({ isValid, digest }) => isValid !== false && digest.answers?.length);
  const { places, nameless } = groupByPlace(answering);
  const { columns, rows: answered } = createMatrix(places, experiments);
  const rows = answered.map(({ runs: own, ...row }) => ({ ...row, runCount: own.length }));
  const cells = rows.flatMap((row) => row.cells);
  const sum = (/** @type {(cell: StudyCell) => number} */ countOf) => cells.reduce((all, one) => all + countOf(one), 0);
  return {
    sentence: summarize(rows, columns),
    subject: subjectOf(columns),
    runCount: runs.length,
    days: daysOf(rows),
    columns,
    rows,
    leftOut: {
      nameless: nameless.length,
      silent: runs.length - answering.length,
      doubtful: sum(({ doubtfulCount }) => doubtfulCount),
      other: sum(({ otherCount }) => otherCount),
      older: olderCount,
    },
  };
}

/** @param {readonly StudyColumn[]} columns @returns {string} of the question that depends on most, else of most questions */
function subjectOf(columns) {
  const [most] = byFrequency(columns.map(({ subject }) => subject));
  return columns.find(({ topic }) => topic === 'news')?.subject ?? most?.[0] ?? '';
}

/** @param {readonly StudyRow[]} rows */
function daysOf(rows) {
  const all = rows.flatMap(({ days }) => [days.from, days.to]).sort();
  return all.length > 0 ? { from: all[0], to: all[all.length - 1] } : undefined;
}

/** @param {readonly StudyRow[]} rows @param {readonly StudyColumn[]} columns @returns {string} a sentence or two */
function summarize(rows, columns) {
  if (rows.length === 0) return 'Nobody has measured for this study yet.';
  const places = rows.filter(({ scope }) => scope === 'path');
  if (places.length === 0)
    return 'So far measured on one machine or network only, which says nothing of users elsewhere.';
  const said = columns.map((column, i) => ({
    column,
    places: places.flatMap(({ name, rttMs, cells }) =>
      cells[i].kind === 'verdict'
        ? [{ name, rttMs, mark: cells[i].mark, word: cells[i].word, value: cells[i].value }]
        : [],
    ),
  }));
  const known = said.filter((one) => one.places.length > 0);
  if (known.length === 0) {
    const isDoubtful = places.some(({ cells }) => cells.some(({ kind }) => kind === 'doubtful'));
    return isDoubtful
      ? 'Runs from other places have weighty warnings: measure again on devices that are idle.'
      : 'No run from another place compares the same as most runs here.';
  }
  const { length: placeCount } = places;
  const topics = /** @type {const} */ (['news', 'sending']);
  const sentences = topics.flatMap((topic) => {
    const found = known.find(({ column }) => column.topic === topic);
    return found ? [sayOf(topic, { places: found.places, placeCount, subject: found.column.question })] : [];
  });
  const [first] = known;
  return sentences.join(' ') || sayOf('other', { places: first.places, placeCount, subject: first.column.question });
}
