/** What pages and exports show of a matrix: of a study, whose rows are places, and of a comparison, whose rows are runs. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { CSV_FILE_START } from '../../core/base/foreign-text.js';
import { capitalize, formatCount, formatRtt } from '../../core/base/format.js';
import { toMarkup } from '../../core/picture/svg.js';
import { iconOf } from '../../core/picture/icon.js';
import { MAX_BESIDE } from '../../core/experiment/run/names.js';
import { isLittle, VERDICT_LABELS, MARKS } from '../../core/experiment/answer/verdict.js';
import { drawMatrixCard } from '../../core/matrix/card.js';
import { wordIn } from '../../core/matrix/cells.js';
import { drawMatrixCurve } from '../../core/matrix/curve.js';
import { drawDistanceAxis } from '../../core/matrix/distance-axis.js';
import * as exports from '../../core/matrix/export.js';
import { whereIn } from '../../core/matrix/sentence.js';
import { drawMatrixShare } from '../../core/matrix/share-picture.js';
import { comparablesOf, createWhiskers } from '../../core/matrix/whiskers.js';

/**
 * @import { SvgNode } from '../../core/picture/svg.js'
 * @import { Elsewhere, MatrixCell, MatrixColumn, Summed } from '../../core/matrix/cells.js'
 * @import { Matrix, MatrixRow } from '../../core/matrix/index.js'
 * @import { Whiskers } from '../../core/matrix/whiskers.js'
 * @import { MATRIX_FORMATS } from './schemas.js'
 * @typedef {{ title: string, asked: { label: string } | { ids: readonly string[] }, shortNames?: readonly string[] }} About `title`: a
 *   noun phrase; `shortNames`: of runs, for pictures
 * @typedef {'page' | typeof MATRIX_FORMATS[number]} MatrixForm `page` is JSON of what its page shows, the others are its exports
 * @typedef {object} ShownFigure and what is shown on demand: `more`
 * @property {string} [picture] markup
 * @property {string} shown
 * @property {string} note
 * @property {string[]} more
 * @typedef {Omit<MatrixCell, 'value'> & ShownFigure} ShownCell
 * @typedef {object} ShownRow
 * @property {string} name
 * @property {boolean} isLong the page cuts its name
 * @property {string} [tag] that it is of one machine or network
 * @property {string} [rtt]
 * @property {string} runs how many
 * @property {string} [warned] how many of them have warnings, if any has
 * @property {string} [value] names all that a cell has, in links; absent for a single run
 * @property {string} measured when
 * @property {(ShownCell & { value?: string })[]} cells one for each column; `value` names it in links, but not that of a single run
 * @typedef {object} ShownColumn
 * @property {string} experiment
 * @property {string} question
 * @property {string} subject empty where the page says it of all columns
 * @property {string} figures their unit
 * @property {boolean} hasBand its scale shows what is the same
 * @property {string} [scale] markup
 * @typedef {object} ShownMatrix
 * @property {Matrix['of']} of
 * @property {string} sentence
 * @property {string} compared what most columns compare
 * @property {Curves} [axis]
 * @property {string} summary
 * @property {string} scales
 * @property {boolean} hasNews
 * @property {number} count of all its runs
 * @property {ShownColumn[]} columns
 * @property {ShownRow[]} rows
 * @property {Gap[]} gaps
 * @property {number} hiddenCount of rows
 * @property {string[]} notes
 * @typedef {{ column: number, where: string }} Gap a question that some rows did not measure; `column`: its index; `where`: such as 'at
 *   London and Sydney'
 * @typedef {{ place: string, question?: string, ids: readonly string[] }} FoundCell `question`: absent for all of a place; `ids`: of the runs
 */

/** The places that its page shows; anybody may add some. */
export const MAX_PLACES = 50;

/** Formats a matrix in each form; a PNG file is made of SVG. @type {Record<MatrixForm, (matrix: Matrix, about: About) => string>} */
const FORMS = {
  page: (matrix) => JSON.stringify({ ...describeMatrix(matrix), curve: drawOnce(matrix) }),
  json: (matrix, { asked }) => exports.formatMatrixJson(asked, matrix),
  csv: (matrix) => CSV_FILE_START + exports.formatMatrixCsv(matrix),
  markdown: (matrix, { title }) => exports.formatMatrixMarkdown(title, matrix),
  svg: (matrix, { title }) => drawMatrixCard(title, matrix),
  png: (matrix, { title, shortNames }) => drawMatrixShare(title, matrix, shortNames),
};

/**
 * Formats a matrix as its page or an export needs it.
 * @param {MatrixForm} form @param {Matrix} matrix @param {About} about @returns {string}
 */
export const formatMatrix = (form, matrix, about) => FORMS[form](matrix, about);

/** The distance curve on screens, and on the smallest phones, in CSS pixels: a smaller picture has smaller letters. */
const CURVE_SIZES = Object.freeze({ wide: { width: 640, height: 300 }, narrow: { width: 240, height: 260 } });

/** More columns are narrow: between two ticks, as a part of 100, their scales need more room. */
const MAX_WIDE = 3;
const NARROW_GAP = 36;

/** The widths of the axis of distances there, px. */
const AXIS_WIDTHS = Object.freeze({ wide: 1040, narrow: 300 });

/** @typedef {Record<keyof typeof CURVE_SIZES, string>} Curves markup by size */

/**
 * Keyed by the data of the curve. Placing its names takes some tenths of a second, and a study stays the same until a run of it is
 * shared or deleted. @type {LRUCache<string, { curves?: Curves }>}
 */
const drawnCurves = new LRUCache({ max: 100 });

/** @param {Matrix} matrix @returns {Curves | undefined} */
function drawOnce({ rows, columns }) {
  const key = createHash('sha256')
    .update(JSON.stringify([columns, rows]))
    .digest('base64');
  const kept = drawnCurves.get(key) ?? { curves: drawCurves({ rows, columns }) };
  drawnCurves.set(key, kept);
  return kept.curves;
}

/** @param {{ rows: Matrix['rows'], columns: Matrix['columns'] }} matrix @returns {Curves | undefined} */
function drawCurves(matrix) {
  const drawn = Object.entries(CURVE_SIZES).map(([name, size]) => [name, drawMatrixCurve(matrix, size)]);
  if (!drawn[0][1]) return undefined;
  return Object.fromEntries(drawn.map(([name, svg]) => [name, toMarkup(/** @type {SvgNode} */ (svg))]));
}

/** @param {readonly MatrixRow[]} rows @returns {Curves | undefined} */
function drawAxes(rows) {
  const drawn = Object.entries(AXIS_WIDTHS).map(([name, width]) => [name, drawDistanceAxis(rows, width)]);
  if (!drawn[0][1]) return undefined;
  return Object.fromEntries(drawn.map(([name, svg]) => [name, toMarkup(/** @type {SvgNode} */ (svg))]));
}

/** @param {string} key of a place @returns {string} short, for links */
const shortKeyOf = (key) => createHash('sha256').update(key).digest('base64url').slice(0, 10);

/** The icon of each mark, once in a page, where all cells refer to it. */
export const ICONS = MARKS.map((mark) => ({
  mark,
  symbol: toMarkup(iconOf(mark)).replace(/^<svg[^>]*>|<\/svg>$/g, ''),
}));

/**
 * @param {MatrixColumn} column @param {{ whiskers?: Whiskers, compared: string }} of `compared`: what the page says of all columns
 * @returns {ShownColumn}
 */
const describeColumn = (column, { whiskers, compared }) => ({
  experiment: column.experiment,
  question: column.question,
  subject: compared.startsWith(column.subject) ? '' : column.subject,
  figures: exports.describeUnit(column),
  hasBand: whiskers?.hasBand ?? false,
  scale: whiskers && toMarkup(whiskers.drawHead()),
});

/**
 * What most columns compare is said once, with what one of them adds, such as the polling interval.
 * @param {readonly MatrixColumn[]} columns @returns {string} empty if each compares something else
 */
function comparedBy(columns) {
  const subjects = columns.map(({ subject }) => subject).sort((a, b) => b.length - a.length);
  const countOf = (/** @type {string} */ one) => subjects.filter((subject) => one.startsWith(subject)).length;
  const [most] = [...subjects].sort((a, b) => countOf(b) - countOf(a));
  return most !== undefined && (countOf(most) > 1 || columns.length === 1) ? most : '';
}

/** Its figure is beside it. @param {Summed} said @param {MatrixColumn} column @returns {string} */
const wordOf = (said, column) =>
  said.verdict && isLittle(said) && said.mark !== 'unclear'
    ? capitalize(VERDICT_LABELS[said.verdict])
    : wordIn(said, column);

/**
 * @param {MatrixCell} cell
 * @param {{ column: MatrixColumn, isOfRun: boolean, picture?: string }} at `isOfRun`: it is one run, which needs no count
 * @returns {ShownCell}
 */
function describeCell(cell, { column, isOfRun, picture }) {
  const about = describeCount(cell, isOfRun);
  const isCounted = cell.count > 0;
  return {
    ...cell,
    picture,
    word: wordOf(cell, column),
    shown: cell.figure ?? '',
    note: isCounted ? '' : about,
    more: isCounted && about ? [about] : [],
    ...(cell.elsewhere && leadByPrediction(cell, { elsewhere: cell.elsewhere, column, about })),
  };
}

/**
 * What one machine predicts stands first, as in the headlines of its runs; what it measured is shown on demand.
 * @param {MatrixCell} cell @param {{ elsewhere: Elsewhere, column: MatrixColumn, about: string }} of `about`: what was measured
 */
const leadByPrediction = (cell, { elsewhere, column, about }) => ({
  mark: elsewhere.mark,
  word: wordOf(elsewhere, column),
  shown: elsewhere.figure ?? '',
  note: `Predicted at ${formatRtt(elsewhere.rttMs)} ms`,
  more: [
    elsewhere.ends ? `Between ${elsewhere.ends.replace(' to ', ' and ')}` : '',
    `Measured: ${[cell.word, cell.figure, about].filter(Boolean).join(', ')}`,
  ].filter(Boolean),
});

/** @param {MatrixCell} cell @param {boolean} isOfRun @returns {string} such as '6 runs, 95% CI 1.4x to 1.5x, 1 with a serious warning' */
function describeCount(cell, isOfRun) {
  if (cell.ids.length === 0) return '';
  if (cell.subjects)
    return [isOfRun ? '' : formatCount(cell.otherCount, 'run'), cell.subjects.join('; ')].filter(Boolean).join(': ');
  if (cell.kind === 'doubtful')
    return isOfRun
      ? 'With a serious warning'
      : `${formatCount(cell.doubtfulCount, 'run')}, with ${cell.doubtfulCount === 1 ? 'a serious warning' : 'serious warnings'}`;
  const spread = cell.ends && `${cell.spread} ${cell.ends}`;
  return [
    isOfRun ? '' : formatCount(cell.count, 'run'),
    spread,
    cell.range && `range ${cell.range}`,
    exports.describeLeftOut(cell),
  ]
    .filter(Boolean)
    .join(', ');
}

/**
 * What the page shows of it.
 * @param {Matrix} matrix @param {{ shortNames?: readonly string[] }} [options] `shortNames`: of runs, for the axis
 * @returns {ShownMatrix}
 */
export function describeMatrix(matrix, { shortNames } = {}) {
  const { of, columns, rows, leftOut, sentence } = matrix;
  // Those with the most runs, in the order of all.
  const shown = [...rows].sort((a, b) => b.runCount - a.runCount).slice(0, MAX_PLACES);
  const inOrder = rows.filter((row) => shown.includes(row));
  const figures = columns.map((_, i) => comparablesOf(inOrder.map(({ cells }) => cells[i])));
  const whiskers = columns.map(({ unit }, i) =>
    createWhiskers(
      unit,
      figures[i].flatMap((figure) => figure ?? []),
      columns.length > MAX_WIDE ? { gap: NARROW_GAP } : {},
    ),
  );
  const pictureOf = (/** @type {number} */ row, /** @type {number} */ column) => {
    const figure = figures[column][row];
    return figure && whiskers[column] && toMarkup(whiskers[column].draw(figure));
  };
  const compared = comparedBy(columns);
  return {
    of,
    sentence,
    compared,
    axis: drawAxes(rows.map((row, i) => ({ ...row, name: shortNames?.[i] ?? row.name }))),
    summary: describeSize(matrix),
    scales: describeScales(columns, whiskers),
    hasNews: columns.some(({ topic }) => topic === 'news'),
    count: matrix.runCount,
    columns: columns.map((column, i) => describeColumn(column, { whiskers: whiskers[i], compared })),
    rows: inOrder.map((row, i) => describeRow(row, { columns, pictureOf: (column) => pictureOf(i, column) })),
    gaps: listGaps({ of, columns, rows }),
    hiddenCount: rows.length - shown.length,
    notes: exports.listLeftOut(leftOut),
  };
}

/**
 * Lists the questions that some rows did not measure.
 * @param {{ of: Matrix['of'], columns: Matrix['columns'], rows: Matrix['rows'] }} matrix @returns {Gap[]}
 */
function listGaps({ of, columns, rows }) {
  return columns.flatMap((_, column) => {
    const own = rows.filter(({ cells }) => cells[column].kind === 'not measured');
    return own.length > 0 ? [{ column, where: whereIn({ of, own, count: rows.length }) }] : [];
  });
}

/** @param {Matrix} matrix @returns {string} such as '4 runs from 4 places, 2026-11-27 to 2026-11-28'; empty for a comparison */
function describeSize({ of, runCount, rows, days }) {
  if (of === 'run') return '';
  const from = rows.length > 0 ? ` from ${formatCount(rows.length, 'place')}` : '';
  return [formatCount(runCount, 'run') + from, days && exports.formatDays(days)].filter(Boolean).join(', ');
}

/**
 * Where there is no room for the heads of columns.
 * @param {readonly MatrixColumn[]} columns @param {readonly (Whiskers | undefined)[]} whiskers @returns {string}
 */
function describeScales(columns, whiskers) {
  const said = columns.flatMap((column, i) =>
    whiskers[i] ? [`${column.question}, ${exports.describeUnit(column)}, ${whiskers[i].range}`] : [],
  );
  const zeros = new Set(whiskers.flatMap((one) => one?.zero ?? []));
  return said.length > 0
    ? `Each scale is the same in all rows. The dotted line at ${[...zeros].join(' or ')} marks no difference. ${said.join('. ')}.`
    : '';
}

/**
 * @param {MatrixRow} row
 * @param {{ columns: readonly MatrixColumn[], pictureOf: (column: number) => string | undefined }} of its matrix
 * @returns {ShownRow}
 */
function describeRow(row, { columns, pictureOf }) {
  const { key, name, number, scope, days, runCount, warnedCount, cells } = row;
  const rtt = exports.describeRtt(row);
  const isOfRun = number !== undefined;
  const short = shortKeyOf(key);
  const isListed = !isOfRun && cells.some(({ ids }) => ids.length > 0);
  return {
    name,
    isLong: name.length > MAX_BESIDE,
    tag: scope === 'path' ? undefined : `same ${scope}`,
    rtt: rtt && `${rtt} ms`,
    runs: formatCount(runCount, 'run'),
    ...(warnedCount > 0 && { warned: `${warnedCount} with warnings` }),
    value: isListed ? short : undefined,
    measured: `measured ${exports.formatDays(days)}`,
    cells: cells.map((cell, i) => ({
      ...describeCell(cell, { column: columns[i], isOfRun, picture: pictureOf(i) }),
      value: isOfRun ? undefined : `${short}.${columns[i].experiment}`,
    })),
  };
}

/**
 * Finds a cell that the page shows, or all cells of a place, with runs behind it.
 * @param {ShownMatrix} shown @param {string} asked the value of the cell or the place
 * @returns {FoundCell | undefined}
 */
export function findCell({ rows, columns }, asked) {
  const all = rows.flatMap(({ name: place, value: ofPlace, cells }) => [
    { place, value: ofPlace, ids: [...new Set(cells.flatMap(({ ids }) => ids))] },
    ...cells.map(({ value, ids }, i) => ({ place, question: columns[i].question, value, ids })),
  ]);
  return all.find(({ value, ids }) => value === asked && ids.length > 0);
}
