/** Draws a matrix as a picture to paste: its sentence and its matrix, with all that they need to be read alone. */
import { capitalize, formatCount } from '../base/format.js';
import { describeFigures, describeRtt, describeRuns, listLeftOut, listSubjects, titleOfRow } from './export.js';
import { node, text, toMarkup } from '../picture/svg.js';
import { wordIn } from './cells.js';

/**
 * @import { SvgNode } from '../picture/svg.js'
 * @import { Matrix, MatrixRow } from './index.js'
 * @typedef {((words: string, kind: keyof typeof SIZES) => SvgNode[]) & { skip: (px: number) => number }} Place puts one text beneath the
 *   other; `skip` leaves so much free, and returns its top
 */

const ROW_PX = 52;
/** The widths of the first columns; the others share what is left of the paper. */
const PLACE_PX = 190;
/** More places are hard to read in a picture. */
const MAX_ROWS = 20;

/** The paper's, in px; it is as high as what stands on it. */
const WIDTH = 1000;
const EDGE = 32;
const SIZES = Object.freeze({ headline: 26, body: 16, small: 13 });
/** The mean width of a letter, as a part of its size. */
const LETTER = 0.56;
/** The distance between two lines of text, as a part of their size. */
const LEADING = 1.3;

/** A picture that is pasted elsewhere has no style sheet of the site. */
const STYLE = `
text { font-family: system-ui, sans-serif; font-size: ${SIZES.body}px; fill: #14161a }
.headline { font-size: ${SIZES.headline}px; font-weight: bold }
.small { font-size: ${SIZES.small}px; fill: #545b66 }
.strong { font-weight: bold }
.rule { stroke: #dcdfe4 }

.better { fill: #00609a } .worse { fill: #9a3b00 } .same, .unclear, .none { fill: #464c56 }
`;

/** Draws a matrix as a picture. @param {string} title @param {Matrix} matrix @returns {string} an SVG file */
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
  return drawPaper((place) => [
    ...place(capitalize(title), 'small'),
    ...place(sentence, 'headline'),
    ...(columns.length > 0 ? drawCells([capitalize(of), ''], heads, { top: place.skip(ROW_PX), width }) : []),
    ...rows.slice(0, MAX_ROWS).flatMap((row) => drawRow(row, columns, { top: place.skip(ROW_PX), width })),
    drawRule(place.skip(SIZES.body)),
    ...notes.flatMap((words) => place(words, 'small')),
  ]);
}

/** @param {MatrixRow} row @param {Matrix['columns']} columns @param {{ top: number, width: number }} at @returns {SvgNode[]} */
function drawRow(row, columns, at) {
  const { scope, runCount, cells } = row;
  const rtt = describeRtt(row);
  const where = scope !== 'path' ? `same ${scope}` : rtt === undefined ? '' : `${rtt} ms`;
  const about = [where, row.number === undefined ? formatCount(runCount, 'run') : ''].filter(Boolean).join(', ');
  const texts = cells.map((cell, i) => [wordIn(cell, columns[i]), cell.figure ?? ''].filter(Boolean));
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

/** @param {(place: Place) => SvgNode[]} draw what stands on the paper @returns {string} an SVG file, as high as what was placed */
function drawPaper(draw) {
  const place = createPlace(EDGE);
  const parts = draw(place);
  const height = Math.ceil(place.skip(0) + EDGE / 2);
  const root = { xmlns: 'http://www.w3.org/2000/svg', width: WIDTH, height, viewBox: `0 0 ${WIDTH} ${height}` };
  const paper = node('rect', { width: WIDTH, height, fill: '#fff' });
  return toMarkup(node('svg', root, node('style', {}, STYLE), paper, ...parts));
}

/** @param {number} y */
const drawRule = (y) => node('line', { class: 'rule', x1: EDGE, x2: WIDTH - EDGE, y1: y, y2: y });

/** @param {number} from the top @returns {Place} */
function createPlace(from) {
  let y = from;
  /** @param {string} words @param {keyof typeof SIZES} kind @returns {SvgNode[]} */
  const place = (words, kind) => {
    const lines = wrap(words, kind);
    const drawn = lines.map((one, i) => write(one, { x: EDGE, y: y + SIZES[kind] * (1 + i * LEADING) }, kind));
    y += SIZES[kind] * LEADING * lines.length + SIZES.small;
    return drawn;
  };
  return Object.assign(place, {
    skip(/** @type {number} */ px) {
      const top = y;
      y += px;
      return top;
    },
  });
}

/** @param {string} words @param {{ x: number, y: number }} at @param {string} style */
const write = (words, at, style) => text(words, at, 'start', { class: style });

/**
 * @param {string} words @param {keyof typeof SIZES} kind
 * @returns {string[]} lines that fit
 */
function wrap(words, kind) {
  const most = Math.floor((WIDTH - 2 * EDGE) / (SIZES[kind] * LETTER));
  /** @type {string[]} */
  const lines = [];
  for (const word of words.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
