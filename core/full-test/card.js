/** Draws a full test as a picture to paste: its decision and its answers, with all that they need to be read alone. */
import { node } from '../base/svg.js';
import { figureOf } from '../experiment/answer.js';
import { drawFoot, drawPaper, drawRule, EDGE, LEADING, SIZES, wrap, write } from '../experiment/card.js';
import { iconOf } from './icons.js';
import { describeCompared, describeUsers } from './report.js';

/**
 * @import { Answer } from '../experiment/answer.js'
 * @import { Report } from '../experiment/contract.js'
 * @import { SvgNode } from '../base/svg.js'
 * @import { Score } from './score.js'
 */

const ROW_PX = 60;
const COLUMNS = Object.freeze({ question: EDGE, icon: 235, word: 262, figure: 480, reason: 650 });

const STYLE = `
.better { --mark: #00609a } .worse { --mark: #9a3b00 } .same, .unclear, .none { --mark: #464c56 }
.mark { fill: var(--mark) }
.sign, .line, .hollow { fill: none; stroke: var(--mark); stroke-linecap: round; stroke-width: 2 }
.sign { stroke: #fff }
`;

/** @param {Score} score @param {Report} report of the run @returns {string} an SVG file */
export const drawCard = (score, report) =>
  drawPaper(
    (place) => [
      ...place(`${describeUsers(score)}: ${describeCompared(score)}`, 'small'),
      ...place(score.decision, 'headline'),
      ...score.answers.flatMap((answer) => drawAnswer(answer, place.skip(ROW_PX))),
      ...drawFoot(report, place),
    ],
    STYLE,
  );

/** @param {Answer} answer @param {number} top @returns {SvgNode[]} */
function drawAnswer(answer, top) {
  const { question, mark, word, reason = '' } = answer;
  const { figure, interval } = figureOf(answer);
  const middle = top + ROW_PX / 2;
  const y = middle + SIZES.body / 3;
  // Beside the figure there is no room for both.
  const [short, most] = word.split(/, (?=at most )/);
  const icon = iconOf(mark);
  const at = { x: COLUMNS.icon, y: middle - 10, width: 20, height: 20 };
  const reasons = wrap(reason, { from: COLUMNS.reason, kind: 'small' });
  const firstY = middle + SIZES.small / 3 - ((reasons.length - 1) / 2) * SIZES.small * LEADING;
  return [
    drawRule(top),
    write(question, { x: COLUMNS.question, y }, 'strong'),
    node(
      'g',
      { class: mark },
      { ...icon, attributes: { ...icon.attributes, ...at, class: 'mark' } },
      write(short, { x: COLUMNS.word, y: most ? middle - 3 : y }, 'strong mark'),
      ...(most ? [write(most, { x: COLUMNS.word, y: middle + SIZES.small + 3 }, 'small')] : []),
    ),
    ...(figure ? [write(figure, { x: COLUMNS.figure, y: middle - 3 }, 'strong')] : []),
    ...(interval ? [write(interval, { x: COLUMNS.figure, y: middle + SIZES.small + 3 }, 'small')] : []),
    ...reasons.map((words, i) => write(words, { x: COLUMNS.reason, y: firstY + i * SIZES.small * LEADING }, 'small')),
  ];
}
