/** Draws a matrix as a picture to share: its sentence, and the first of its rows with their dots on one scale for each question. */
import { capitalize, formatCount } from '../base/format.js';
import { node, text } from '../picture/svg.js';
import { CARD_COLOURS } from '../picture/colours.js';
import { CARD_TABLE, drawShareCard, fit, write } from '../picture/share-card.js';
import { wordIn } from './cells.js';
import { describeRtt, describeRuns, titleOfRow } from './export.js';
import { comparablesOf, createWhiskers } from './whiskers.js';

/**
 * @import { SvgNode } from '../picture/svg.js'
 * @import { VerdictName } from '../experiment/answer/verdict.js'
 * @import { MatrixCell, MatrixColumn } from './cells.js'
 * @import { Matrix, MatrixRow } from './index.js'
 * @import { Figure, Whiskers } from './whiskers.js'
 * @typedef {{ column: MatrixColumn, index: number, x: number, whiskers?: Whiskers, figures: readonly (Figure | undefined)[] }} Drawn
 *   `index`: in the matrix; `figures`: by row
 */

/** More rows or columns would be too small to read in a preview. */
const [MAX_ROWS, MAX_COLUMNS] = [5, 2];
const ROW_PX = 38;
const NAMES_PX = 300;
const RAIL_PX = 136;
const FIGURE_PX = 80;
const GAP_PX = 16;
const LETTER_PX = 20;
const SMALL_PX = 17;
/** Of what is not bold, as a part of what is. */
const NARROW = 0.8;
/** The head of a scale, as high as whiskers draw it. */
const SCALE_PX = 22;

const STYLE = `
.scale text { font-size: 15px; fill: #545b66 }
.base { stroke: #aab1bc }
.zero { stroke: #545b66; stroke-dasharray: 2 2 }
.same-band { fill: ${CARD_COLOURS['same-band']} }
${['better', 'same', 'worse']
  .map((mark) => `.${mark} .whisker { stroke: ${CARD_COLOURS[mark]} } .${mark} .dot { fill: ${CARD_COLOURS[mark]} }`)
  .join(' ')}
/* A circle where it is not clear, a diamond where nobody measured it there. */
.unclear .dot, .local .dot { fill: #fff; stroke: ${CARD_COLOURS.same}; stroke-width: 2 }
.unclear .whisker, .local .whisker { stroke: ${CARD_COLOURS.same} }
.whisker { stroke-width: 3 }
`;

/**
 * @param {string} title @param {Matrix} matrix @param {readonly string[]} [names] of its rows, where they have shorter ones here
 * @returns {string} an SVG file
 */
export function drawMatrixShare(title, matrix, names) {
  const { of, columns, sentence } = matrix;
  const rows = matrix.rows.map((row, i) => ({ ...row, name: names?.[i] ?? row.name }));
  const nodes = columns.length > 0 && rows.length > 0 ? drawTable({ ...matrix, rows }) : undefined;
  return drawShareCard({
    sentence: sentence || capitalize(title),
    table: nodes && { nodes, style: STYLE },
    place: of === 'run' ? `${formatCount(rows.length, 'run')} compared` : capitalize(title),
    about: describeRuns(matrix),
  });
}

/** @param {Matrix} matrix with columns and rows @returns {SvgNode[]} */
function drawTable({ of, columns, rows }) {
  const { left, right, top } = CARD_TABLE;
  const shown = columns.slice(0, MAX_COLUMNS);
  const width = (right - left - NAMES_PX) / shown.length;
  const drawn = shown.map((column, index) => {
    const figures = comparablesOf(rows.map(({ cells }) => cells[index]));
    const known = figures.flatMap((figure) => figure ?? []);
    return {
      ...{ column, index, figures, x: left + NAMES_PX + index * width },
      whiskers: createWhiskers(column.unit, known, { gap: 40 }),
    };
  });
  // The last line says how many are left out.
  const count = rows.length > MAX_ROWS ? MAX_ROWS - 1 : rows.length;
  const first = top + SMALL_PX + SCALE_PX + 8;
  const others = rows.length - count;
  return [
    ...drawn.flatMap((one) => drawHead(one, { top, width })),
    ...rows.slice(0, count).flatMap((row, i) => drawRow(row, drawn, { index: i, top: first + i * ROW_PX, width })),
    ...(others > 0
      ? [
          write(formatCount(others, `more ${of}`), {
            x: left,
            y: first + count * ROW_PX + 25,
            size: LETTER_PX,
            style: 'quiet',
          }),
        ]
      : []),
  ];
}

/** @param {Drawn} drawn @param {{ top: number, width: number }} at @returns {SvgNode[]} */
const drawHead = ({ column, x, whiskers }, { top, width }) => [
  write(fit(column.question, width, SMALL_PX), { x, y: top + SMALL_PX - 4, size: SMALL_PX }),
  ...(whiskers ? [inRail(whiskers.drawHead(), { x, y: top + SMALL_PX + 4, height: SCALE_PX })] : []),
];

/** @param {MatrixRow} row @param {readonly Drawn[]} drawn @param {{ index: number, top: number, width: number }} at @returns {SvgNode[]} */
function drawRow(row, drawn, { index, top, width }) {
  const { left, right } = CARD_TABLE;
  const baseline = top + 25;
  const rtt = describeRtt(row);
  const where = row.scope === 'path' ? (rtt === undefined ? '' : `${rtt} ms`) : `same ${row.scope}`;
  const end = left + NAMES_PX - GAP_PX;
  return [
    node('line', { x1: left, x2: right, y1: top, y2: top, stroke: '#dcdfe4' }),
    write(fit(titleOfRow(row), NAMES_PX - GAP_PX - (row.scope === 'path' ? 70 : 120), LETTER_PX), {
      x: left,
      y: baseline,
      size: LETTER_PX,
    }),
    text(where, { x: end, y: baseline }, 'end', { class: 'quiet', 'font-size': String(SMALL_PX) }),
    ...drawn.flatMap((one) => drawCell(row.cells[one.index], one, { index, top, width })),
  ];
}

/**
 * @param {MatrixCell} cell @param {Drawn} drawn @param {{ index: number, top: number, width: number }} at `index`: of the row
 * @returns {SvgNode[]}
 */
function drawCell(cell, { column, x, whiskers, figures }, { index, top, width }) {
  const said = cell.elsewhere ?? cell;
  const { figure = '', verdict } = said;
  const measured = figures[index];
  const at = { x: x + (whiskers ? RAIL_PX + GAP_PX : 0), y: top + 25 };
  const figurePx = figure ? FIGURE_PX : 0;
  return [
    ...(whiskers && measured ? [inRail(whiskers.draw(measured), { x, y: top + 11, height: 16 })] : []),
    write(figure, { ...at, size: LETTER_PX }),
    write(fit(shorten(wordIn(said, column), verdict), x + width - at.x - figurePx, NARROW * SMALL_PX), {
      x: at.x + figurePx,
      y: at.y,
      size: SMALL_PX,
      style: 'quiet',
    }),
  ];
}

/** @param {string} word @param {VerdictName} [verdict] @returns {string} */
const shorten = (word, verdict) => (verdict === 'unclear' ? 'Unclear' : word.replace(/ \(.*\)$/, ''));

/** @param {SvgNode} picture as wide as its place @param {{ x: number, y: number, height: number }} at */
const inRail = (picture, at) => node('svg', { ...at, width: RAIL_PX, overflow: 'visible' }, picture);
