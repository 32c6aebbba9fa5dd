/** The paper of a picture as high as what stands on it: one text beneath the other. */
import { node, text, toMarkup } from '../base/svg.js';

/**
 * @import { SvgNode } from '../base/svg.js'
 * @typedef {ReturnType<typeof createPlace>} Place
 */

const WIDTH = 1000;
export const EDGE = 32;
export const SIZES = Object.freeze({ headline: 26, body: 16, small: 13 });
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
`;

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
    const lines = wrap(words, kind);
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

/** @param {string} words @param {{ x: number, y: number }} at @param {string} style */
export const write = (words, at, style) => text(words, at, 'start', { class: style });

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
