/** Shows the answers of a full test, a line each: question, verdict with icon and word, figure over interval, reason, link. */
import { figureOf } from '../../../core/experiment/answer.js';
import { iconOf } from '../../../core/full-test/icons.js';
import { createSvg } from '../charts/svg.js';
import { create, element } from '../base/page.js';

/** @import { Answer } from '../../../core/experiment/answer.js' */

/** A number and its unit stay on one line. @param {string} text */
export const keepUnits = (text) => text.replace(/(\d) (ms|s|min|B|kB|MB)\b/g, '$1\u00a0$2');

/** @param {readonly Answer[]} answers @param {(experiment: string) => string} hrefOf the full result of each */
export function showAnswers(answers, hrefOf) {
  element('#lines').replaceChildren(...answers.map((answer) => createLine(answer, hrefOf(answer.experiment))));
}

/** @param {Answer} answer @param {string} href */
function createLine(answer, href) {
  const { experiment, question, mark, word, reason = '', hasResult } = answer;
  const { figure, interval } = figureOf(answer);
  const figures = [
    ...(figure ? [create('strong', {}, keepUnits(figure)), ' '] : []),
    ...(interval ? [create('small', {}, keepUnits(interval))] : []),
  ];
  const link = create('a', { href, 'aria-label': `${question}: full result` }, '›');
  return create(
    'li',
    { 'data-mark': mark, 'data-experiment': experiment },
    create('strong', { class: 'question' }, question),
    create('span', { class: 'word' }, createSvg(iconOf(mark)), word),
    create('span', { class: 'figure' }, ...figures),
    create('span', { class: 'reason' }, keepUnits(reason)),
    ...(hasResult ? [link] : []),
  );
}
