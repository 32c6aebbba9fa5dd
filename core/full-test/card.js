/** Draws a full test as a picture to paste: its decision and its lines, with all that they need to be read alone. */
import { node, text, toMarkup } from '../base/svg.js';
import { iconOf } from './icons.js';
import { describeCompared, describeUsers } from './report.js';

/**
 * @import { Report } from '../experiment/contract.js'
 * @import { SvgNode } from '../base/svg.js'
 * @import { Answered, Score } from './lines.js'
 */

const WIDTH = 1000;
const EDGE = 32;
const ROW_PX = 60;
const COLUMNS = Object.freeze({ question: EDGE, icon: 250, word: 280, figure: 480, reason: 650 });
/** The mean width of a letter, as a part of its size. */
const LETTER = 0.56;
const SIZES = Object.freeze({ headline: 26, body: 16, small: 13 });
/** The distance between two lines of text, as a part of their size. */
const LEADING = 1.3;

/** A picture that is pasted elsewhere has no style sheet of the site. */
const STYLE = `
text { font-family: system-ui, sans-serif; font-size: ${SIZES.body}px; fill: #14161a }
.headline { font-size: ${SIZES.headline}px; font-weight: bold }
.small { font-size: ${SIZES.small}px; fill: #545b66 }
.strong { font-weight: bold }
.rule { stroke: #dcdfe4 }
.better { --mark: #00609a } .worse { --mark: #9a3b00 } .same, .unclear, .none { --mark: #464c56 }
.mark { fill: var(--mark) }
.sign, .line, .hollow { fill: none; stroke: var(--mark); stroke-linecap: round; stroke-width: 2 }
.sign { stroke: #fff }
`;

/** @param {Score} score @param {Pick<Report, 'notice' | 'conditions'>} run @returns {string} an SVG file */
export function drawCard(score, { notice, conditions }) {
  const place = createColumn(EDGE);
  const parts = [
    ...place(`${describeUsers(score)}: ${describeCompared(score)}`, 'small'),
    ...place(score.decision, 'headline'),
    ...score.lines.flatMap((line) => drawLine(line, place.skip(ROW_PX))),
    ...drawFoot([notice, conditions], place),
  ];
  const height = place.skip(0) + EDGE / 2;
  const root = { xmlns: 'http://www.w3.org/2000/svg', width: WIDTH, height, viewBox: `0 0 ${WIDTH} ${height}` };
  const paper = node('rect', { width: WIDTH, height, fill: '#fff' });
  return toMarkup(node('svg', root, node('style', {}, STYLE), paper, ...parts));
}

/** @param {readonly (string | undefined)[]} texts @param {ReturnType<typeof createColumn>} place */
function drawFoot(texts, place) {
  const top = place.skip(SIZES.body);
  const rule = node('line', { class: 'rule', x1: EDGE, x2: WIDTH - EDGE, y1: top, y2: top });
  return [rule, ...texts.flatMap((words) => (words ? place(words, 'small') : []))];
}

/**
 * Places one text beneath the other.
 * @param {number} from the top
 */
function createColumn(from) {
  let y = from;
  /** @param {string} words @param {keyof typeof SIZES} kind @returns {SvgNode[]} */
  const place = (words, kind) => {
    const lines = wrap(words, { width: WIDTH - 2 * EDGE, kind });
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

/** @param {Answered} answered @param {number} top @returns {SvgNode[]} */
function drawLine({ question, line }, top) {
  const { mark, word, figure, interval, reason } = line;
  const middle = top + ROW_PX / 2;
  const y = middle + SIZES.body / 3;
  const icon = iconOf(mark);
  const at = { x: COLUMNS.icon, y: middle - 10, width: 20, height: 20 };
  const reasons = wrap(reason, { width: WIDTH - EDGE - COLUMNS.reason, kind: 'small' });
  const firstY = middle + SIZES.small / 3 - ((reasons.length - 1) / 2) * SIZES.small * LEADING;
  return [
    node('line', { class: 'rule', x1: EDGE, x2: WIDTH - EDGE, y1: top, y2: top }),
    write(question, { x: COLUMNS.question, y }, 'strong'),
    node(
      'g',
      { class: mark },
      { ...icon, attributes: { ...icon.attributes, ...at, class: 'mark' } },
      write(word, { x: COLUMNS.word, y }, 'strong mark'),
    ),
    ...(figure ? [write(figure, { x: COLUMNS.figure, y: middle - 3 }, 'strong')] : []),
    ...(interval ? [write(interval, { x: COLUMNS.figure, y: middle + SIZES.small + 3 }, 'small')] : []),
    ...reasons.map((words, i) => write(words, { x: COLUMNS.reason, y: firstY + i * SIZES.small * LEADING }, 'small')),
  ];
}

/** @param {string} words @param {{ x: number, y: number }} at @param {string} style */
const write = (words, at, style) => text(words, at, 'start', { class: style });

/**
 * @param {string} words @param {{ width: number, kind: keyof typeof SIZES }} room @returns {string[]} lines that fit
 */
function wrap(words, { width, kind }) {
  const most = Math.floor(width / (SIZES[kind] * LETTER));
  /** @type {string[]} */
  const lines = [];
  for (const word of words.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
