/** Exports a matrix: a table for programs, and one to paste or to print. */
import { escape } from '../base/foreign-text.js';
import { capitalize, DASH, formatCount, formatRtt } from '../base/format.js';
import { unitOf } from '../experiment/answer/answer.js';
import { toCsv, toMarkdown, toText, words } from '../experiment/report/table.js';

/**
 * @import { Column } from '../experiment/report/table.js'
 * @import { MatrixCell, MatrixColumn, Summed } from './cells.js'
 * @import { Matrix, MatrixRow } from './index.js'
 * @typedef {{ row: MatrixRow, column: MatrixColumn, cell: MatrixCell }} Placed
 */

/** @param {Matrix['of']} of @returns {readonly Column<Placed>[]} */
const csvColumns = (of) => [
  words(of, ({ row }) => titleOfRow(row)),
  words('scope', ({ row }) => row.scope),
  words('fallback', ({ row }) => row.fallback),
  { title: 'rtt_ms', value: ({ row }) => row.rttMs },
  words('experiment', ({ column }) => column.experiment),
  words('subject', ({ column }) => column.subject),
  words('kind', ({ cell }) => cell.kind),
  // As on pages, what one machine predicts stands before what it measured.
  { title: 'predicted_rtt_ms', value: ({ cell }) => cell.elsewhere?.rttMs },
  words('predicted_word', ({ cell }) => cell.elsewhere?.word),
  { title: 'predicted_median', value: ({ cell }) => cell.elsewhere?.value },
  { title: 'predicted_low', value: ({ cell }) => cell.elsewhere?.low },
  { title: 'predicted_high', value: ({ cell }) => cell.elsewhere?.high },
  words('mark', ({ cell }) => cell.mark),
  words('word', ({ cell }) => cell.word),
  { title: 'median', value: ({ cell }) => cell.value },
  { title: 'low', value: ({ cell }) => cell.low },
  { title: 'high', value: ({ cell }) => cell.high },
  words('spread', ({ cell }) => cell.spread),
  words('unit', ({ column }) => column.unit),
  { title: 'runs', value: ({ cell }) => cell.count },
  { title: 'runs_with_warnings', value: ({ cell }) => cell.doubtfulCount },
  { title: 'runs_of_other_subjects', value: ({ cell }) => cell.otherCount },
  words('first_day', ({ row }) => row.days.from),
  words('last_day', ({ row }) => row.days.to),
];

/** @param {{ number?: number, name: string }} row @returns {string} with the number of a run */
export const titleOfRow = ({ number, name }) => (number === undefined ? name : `${number}. ${name}`);

/**
 * @param {{ scope: MatrixRow['scope'], rttMs?: number }} row
 * @returns {string | undefined} ms; absent where no distance is part of it
 */
export const describeRtt = ({ scope, rttMs }) =>
  scope === 'path' && rttMs !== undefined ? formatRtt(rttMs) : undefined;

/** The newest runs of a label that a study sums up. */
export const MAX_STUDY_RUNS = 2000;

/** @param {Matrix} matrix @returns {string} a line for each cell */
export const formatMatrixCsv = ({ of, rows, columns }) =>
  toCsv({
    columns: csvColumns(of),
    rows: rows.flatMap((row) => row.cells.map((cell, i) => ({ row, column: columns[i], cell }))),
  });

/**
 * Formats a matrix as JSON, without the IDs of runs.
 * @param {{ label: string } | { ids: readonly string[] }} asked @param {Matrix} matrix @returns {string}
 */
export const formatMatrixJson = (asked, { rows, ...matrix }) =>
  JSON.stringify({
    ...asked,
    ...matrix,
    // Which runs are behind a cell is listed by label.
    rows: rows.map(({ key: _, cells, ...row }) => ({ ...row, cells: cells.map(({ ids: _ids, ...cell }) => cell) })),
  });

/** Formats the days on which runs were measured. @param {{ from: string, to: string }} days @returns {string} */
export const formatDays = ({ from, to }) => (from === to ? from : `${from} to ${to}`);

/**
 * When news arrives follows from the page's polling interval: tests poll at a shorter one.
 * @param {MatrixColumn} column @returns {string} what its figures are; empty if it has none
 */
export const describeFigures = (column) =>
  [describeUnit(column), column.unit && (column.topic === 'news' ? 'calculated' : 'measured')]
    .filter(Boolean)
    .join(', ');

/** @param {MatrixColumn} column @returns {string} the unit of its figures, and what they are of; empty if it has none */
export const describeUnit = ({ unit, at }) => (unit ? [unitOf(unit).head, at].filter(Boolean).join(', ') : '');

/** @param {{ columns: readonly MatrixColumn[] }} matrix @returns {string[]} a sentence for each subject, with its questions */
export const listSubjects = ({ columns }) =>
  [...new Set(columns.map(({ subject }) => subject))].map((subject) => {
    const own = columns.filter((column) => column.subject === subject);
    return `${own.map(({ question }) => question).join(', ')}: ${subject}.`;
  });

/** @param {MatrixCell} cell @returns {string} what is left out of it */
export const describeLeftOut = ({ doubtfulCount, otherCount }) =>
  [
    doubtfulCount > 0 ? `${doubtfulCount} with ${doubtfulCount === 1 ? 'a serious warning' : 'serious warnings'}` : '',
    otherCount > 0 ? `${formatCount(otherCount, 'other')}` : '',
  ]
    .filter(Boolean)
    .join(', ');

/** @param {MatrixCell} cell @returns {string} its text in one line: as on pages, a prediction stands first */
function describeCell(cell) {
  if (cell.kind === 'not measured') return DASH;
  const { elsewhere } = cell;
  if (!elsewhere) return describeSummed(cell);
  return `${describeSummed(elsewhere)}, predicted at ${formatRtt(elsewhere.rttMs)} ms; measured: ${describeSummed(cell)}`;
}

/** @param {Summed} summed @returns {string} such as 'Faster, 1.4x (95% CI 1.3 to 1.5x)' */
function describeSummed({ word, figure, spread, ends, range }) {
  const around = ends && `(${[spread, ends].filter(Boolean).join(' ')}${range ? `, range ${range}` : ''})`;
  return [[word, figure].filter(Boolean).join(', '), around].filter(Boolean).join(' ');
}

/** @param {Matrix} matrix @returns {{ columns: Column<MatrixRow>[], rows: readonly MatrixRow[] }} places by questions */
const tabulate = ({ of, columns, rows }) => ({
  columns: [
    words(capitalize(of), (row) => (row.scope === 'path' ? titleOfRow(row) : `${titleOfRow(row)} (same ${row.scope})`)),
    { title: 'RTT, ms', value: (row) => describeRtt(row) },
    ...(of === 'place' ? [{ title: 'Runs', value: (/** @type {MatrixRow} */ { runCount }) => runCount }] : []),
    words('Measured', ({ days }) => formatDays(days)),
    ...columns.map((column, i) =>
      words(
        [column.question, describeFigures(column)].filter(Boolean).join(': '),
        (/** @type {MatrixRow} */ { cells }) => describeCell(cells[i]),
      ),
    ),
  ],
  rows,
});

/** More subjects are hard to read. */
const MAX_SUBJECTS = 3;

/** @param {Matrix['leftOut']} leftOut @returns {string[]} a sentence for each kind of runs that no figure includes */
export function listLeftOut({ nameless, silent, doubtful, other, otherSubjects, older }) {
  return [
    doubtful > 0 ? `Left out of the figures: ${formatCount(doubtful, 'answer')} with serious warnings.` : '',
    other > 0
      ? `Not counted: ${formatCount(other, 'answer')} about something else: ${otherSubjects.slice(0, MAX_SUBJECTS).join('; ')}${otherSubjects.length > MAX_SUBJECTS ? '; others' : ''}.`
      : '',
    nameless > 0 ? `Not in the matrix: ${formatCount(nameless, 'run')} without a place.` : '',
    silent > 0
      ? `Not in the matrix: ${formatCount(silent, 'run')} without an answer (ended early, or a test without a verdict).`
      : '',
    older > 0
      ? `Left out: ${formatCount(older, 'older run')}. A study has the newest ${formatCount(MAX_STUDY_RUNS, 'run')}.`
      : '',
  ].filter(Boolean);
}

/** @param {Matrix} matrix @returns {string} in how many runs and when; empty for a comparison, which lists its runs */
export const describeRuns = ({ of, runCount, days }) =>
  of === 'run' ? '' : [formatCount(runCount, 'run'), days && `measured ${formatDays(days)}`].filter(Boolean).join(', ');

/** @param {Matrix} matrix @returns {string[]} paragraphs about it */
const introduce = (matrix) => [matrix.sentence, listSubjects(matrix).join(' '), describeRuns(matrix)].filter(Boolean);

/** @param {string} title @param {Matrix} matrix @returns {string} to paste into an issue or a wiki */
export const formatMatrixMarkdown = (title, matrix) =>
  [
    `### SockShootout: ${escape(title)}`,
    ...introduce(matrix).map((words, i) => (i === 0 && matrix.sentence ? `**${escape(words)}**` : escape(words))),
    ...(matrix.rows.length > 0 ? [toMarkdown(tabulate(matrix)).join('\n')] : []),
    ...listLeftOut(matrix.leftOut).map(escape),
    '',
  ].join('\n\n');

/** Formats a matrix as text. @param {Matrix} matrix @returns {string} for a terminal */
export const formatMatrixText = (matrix) =>
  [
    ...introduce(matrix),
    ...(matrix.rows.length > 0 ? ['', ...toText(tabulate(matrix)), ''] : []),
    ...listLeftOut(matrix.leftOut),
    '',
  ].join('\n');
