/** Draws a matrix as a picture to paste: its sentence and its matrix, with all that they need to be read alone. */
import { capitalize } from '../base/format.js';
import { drawPaper, drawRule, EDGE, SIZES, write } from './paper.js';
import {
  describeFigures,
  describeRtt,
  describeRuns,
  formatCount,
  listLeftOut,
  listSubjects,
  titleOfRow,
} from './export.js';

/**
 * @import { SvgNode } from '../base/svg.js'
 * @import { Matrix, MatrixRow } from './index.js'
 */

const ROW_PX = 52;
/** The widths of the first columns; the others share what is left of the paper. */
const PLACE_PX = 190;
const WIDTH = 1000;
/** More places are hard to read in a picture. */
const MAX_ROWS = 20;
const LETTER = 0.56;

const STYLE = `
.better { fill: #00609a } .worse { fill: #9a3b00 } .same, .unclear, .none { fill: #464c56 }
`;

/** @param {string} title @param {Matrix} matrix @returns {string} an SVG file */
export function drawMatrixCard(title, matrix) {
  const { of, columns, rows, sentence, leftOut } = matrix;
  const width = (WIDTH - 2 * EDGE - PLACE_PX) / Math.max(1, columns.length);
  const heads = columns.map((column) => [column.question, describeFigures(column)]);
  const more = rows.length - MAX_ROWS;
  const notes = [
    ...(more > 0 ? [`${formatCount(more, `more ${of}`)}.`] : []),
    ...listLeftOut(leftOut),
    ...listSubjects(matrix),
    describeRuns(matrix),
  ].filter(Boolean);
  return drawPaper(
    (place) => [
      ...place(capitalize(title), 'small'),
      ...place(sentence, 'headline'),
      ...(columns.length > 0 ? drawCells([capitalize(of), ''], heads, { top: place.skip(ROW_PX), width }) : []),
      ...rows.slice(0, MAX_ROWS).flatMap((row) => drawRow(row, { top: place.skip(ROW_PX), width })),
      drawRule(place.skip(SIZES.body)),
      ...notes.flatMap((words) => place(words, 'small')),
    ],
    STYLE,
  );
}

/** @param {MatrixRow} row @param {{ top: number, width: number }} at @returns {SvgNode[]} */
function drawRow(row, at) {
  const { scope, runCount, cells } = row;
  const rtt = describeRtt(row);
  const where = scope !== 'path' ? `same ${scope}` : rtt === undefined ? '' : `${rtt} ms`;
  const about = [where, row.number === undefined ? formatCount(runCount) : ''].filter(Boolean).join(', ');
  const texts = cells.map(({ word, figure }) => (word ? [word, figure ?? ''] : [figure ?? '–', '']));
  return drawCells([titleOfRow(row), about], texts, { ...at, marks: cells.map(({ mark }) => mark) });
}

/**
 * @param {readonly string[]} first two lines @param {readonly (readonly string[])[]} others each of two lines
 * @param {{ top: number, width: number, marks?: readonly string[] }} at @returns {SvgNode[]}
 */
function drawCells(first, others, { top, width, marks = [] }) {
  const all = [{ lines: first, x: EDGE, room: PLACE_PX, mark: '' }].concat(
    others.map((lines, i) => ({ lines, x: EDGE + PLACE_PX + i * width, room: width, mark: marks[i] ?? '' })),
  );
  const drawn = all.flatMap(({ lines: [upper, lower], x, room, mark }) => [
    write(fit(upper, room, SIZES.body), { x, y: top + 22 }, `strong ${mark}`.trim()),
    ...(lower ? [write(fit(lower, room, SIZES.small), { x, y: top + 42 }, 'small')] : []),
  ]);
  return [drawRule(top), ...drawn];
}

/** @param {string} text @param {number} room px @param {number} size px @returns {string} cut where it is longer */
function fit(text, room, size) {
  const most = Math.floor((room - 8) / (size * LETTER));
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}
