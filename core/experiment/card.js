/** Draws a run as a picture to paste: its answer and its first table, with all that they need to be read alone. */
import { node, text, toMarkup } from '../base/svg.js';
import { describeTrust, reportOf } from './report.js';
import { cellsOf, headsOf } from './table.js';

/**
 * @import { Described, Report, Table, Whole } from './contract.js'
 * @import { SvgNode } from '../base/svg.js'
 * @import { Summarized } from './report.js'
 * @typedef {ReturnType<typeof createPlace>} Place
 */

const WIDTH = 1000;
export const EDGE = 32;
export const SIZES = Object.freeze({ headline: 26, body: 16, small: 13 });
/** The mean width of a letter, as a part of its size. */
const LETTER = 0.56;
/** The distance between two lines of text, as a part of their size. */
export const LEADING = 1.3;
const ROW_PX = 30;
/** The space between two columns. */
const GAP_PX = 24;
/** A longer table is hard to read in a picture. */
const MAX_ROWS = 12;

/** A picture that is pasted elsewhere has no style sheet of the site. */
const STYLE = `
text { font-family: system-ui, sans-serif; font-size: ${SIZES.body}px; fill: #14161a }
.headline { font-size: ${SIZES.headline}px; font-weight: bold }
.small { font-size: ${SIZES.small}px; fill: #545b66 }
.strong { font-weight: bold }
.rule { stroke: #dcdfe4 }
`;

/**
 * @param {Summarized & Pick<Described, 'label'> & Partial<Pick<Whole, 'drawCard'>>} experiment @param {any} document
 * @returns {string} an SVG file
 */
export const drawRun = (experiment, document) =>
  experiment.drawCard?.(document) ?? drawReport(experiment.label, reportOf(experiment, document));

/** @param {string} label of the experiment @param {Report} report @returns {string} */
function drawReport(label, report) {
  const { headline, tables } = report;
  const table = tables.find(({ isDetail }) => !isDetail);
  return drawPaper((place) => [
    ...place(label, 'small'),
    ...place(headline, 'headline'),
    ...(table ? drawTable(table, place) : []),
    ...drawFoot(report, place),
  ]);
}

/**
 * @param {(place: Place) => SvgNode[]} draw what stands on it @param {string} [style] of it
 * @returns {string} an SVG file, as high as what was placed
 */
export function drawPaper(draw, style = '') {
  const place = createPlace(EDGE);
  const parts = draw(place);
  const height = Math.ceil(place.skip(0) + EDGE / 2);
  const root = { xmlns: 'http://www.w3.org/2000/svg', width: WIDTH, height, viewBox: `0 0 ${WIDTH} ${height}` };
  const paper = node('rect', { width: WIDTH, height, fill: '#fff' });
  return toMarkup(node('svg', root, node('style', {}, STYLE + style), paper, ...parts));
}

/**
 * Draws whether the run can be trusted, and what was measured, where.
 * @param {Pick<Report, 'notice' | 'conditions' | 'trust'>} report @param {Place} place
 */
export function drawFoot({ notice, conditions, trust }, place) {
  const texts = [describeTrust({ trust, notice }), notice, conditions];
  return [drawRule(place.skip(SIZES.body)), ...texts.flatMap((words) => (words ? place(words, 'small') : []))];
}

/** @param {number} y */
export const drawRule = (y) => node('line', { class: 'rule', x1: EDGE, x2: WIDTH - EDGE, y1: y, y2: y });

/**
 * Places one text beneath the other.
 * @param {number} from the top
 */
function createPlace(from) {
  let y = from;
  /** @param {string} words @param {keyof typeof SIZES} kind @returns {SvgNode[]} */
  const place = (words, kind) => {
    const lines = wrap(words, { from: EDGE, kind });
    const drawn = lines.map((one, i) => write(one, { x: EDGE, y: y + SIZES[kind] * (1 + i * LEADING) }, kind));
    y += SIZES[kind] * LEADING * lines.length + SIZES.small;
    return drawn;
  };
  return Object.assign(place, {
    /** @param {number} px @returns {number} the top of the room that is left free */
    skip(px) {
      const top = y;
      y += px;
      return top;
    },
  });
}

/** @param {Report['tables'][number]} table @param {Place} place @returns {SvgNode[]} */
function drawTable({ heading, ...table }, place) {
  const columns = columnsOf(table);
  const rowCount = Math.min(MAX_ROWS, table.rows.length);
  /** @param {'strong' | 'small' | 'body'} style @param {(column: typeof columns[number]) => string} textOf */
  const drawRow = (style, textOf) => {
    const top = place.skip(ROW_PX);
    const y = top + ROW_PX / 2 + SIZES.body / 3;
    return [
      drawRule(top),
      ...columns.map((column) =>
        text(textOf(column), { x: column.x, y }, column.isText ? 'start' : 'end', { class: style }),
      ),
    ];
  };
  const left = table.rows.length - rowCount;
  return [
    ...(heading ? place(heading, 'body') : []),
    ...drawRow('small', ({ head }) => head),
    ...Array.from({ length: rowCount }, (_, row) => drawRow('body', ({ cells }) => cells[row])).flat(),
    ...(left > 0 ? moreRows(left, place) : []),
  ];
}

/** @param {number} left @param {Place} place */
function moreRows(left, place) {
  place.skip(SIZES.small);
  return place(`${left} more ${left === 1 ? 'row' : 'rows'} in the whole result.`, 'small');
}

/**
 * Lists the first columns, for which there is room. `x`: the start of texts, and the end of figures.
 * @param {Table<any>} table
 */
function columnsOf(table) {
  const lines = cellsOf(table).slice(0, MAX_ROWS);
  let right = EDGE - GAP_PX;
  return headsOf(table)
    .map((head, i) => {
      const cells = lines.map((line) => line[i] ?? '');
      const width = Math.max(...cells.map((cell) => widthOf(cell, 'body')), widthOf(head, 'small'));
      const left = right + GAP_PX;
      right = left + width;
      const isText = Boolean(table.columns[i].isText);
      return { head, cells, right, isText, x: isText ? left : right };
    })
    .filter((column) => column.right <= WIDTH - EDGE);
}

/** @param {string} words @param {keyof typeof SIZES} kind */
const widthOf = (words, kind) => words.length * SIZES[kind] * LETTER;

/** @param {string} words @param {{ x: number, y: number }} at @param {string} style */
export const write = (words, at, style) => text(words, at, 'start', { class: style });

/**
 * @param {string} words @param {{ from: number, kind: keyof typeof SIZES }} room `from`: its left edge
 * @returns {string[]} lines that fit
 */
export function wrap(words, { from, kind }) {
  const most = Math.floor((WIDTH - EDGE - from) / (SIZES[kind] * LETTER));
  /** @type {string[]} */
  const lines = [];
  for (const word of words.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
