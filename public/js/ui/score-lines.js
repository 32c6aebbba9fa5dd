/** Shows the lines of a full test: question, verdict with icon and word, figure over interval, reason, link. */
import { iconOf } from '../../../core/full-test/icons.js';
import { createSvg } from '../charts/svg.js';
import { create, element } from '../base/page.js';

/** @import { Answered } from '../../../core/full-test/lines.js' */

/** A number and its unit stay on one line. @param {string} text */
export const keepUnits = (text) => text.replace(/(\d) (ms|s|min|B|kB|MB)\b/g, '$1\u00a0$2');

/** @param {readonly Answered[]} lines @param {(experiment: string) => string} hrefOf the full result of each */
export function showLines(lines, hrefOf) {
  element('#lines').replaceChildren(...lines.map((answered) => createLine(answered, hrefOf(answered.experiment))));
}

/** @param {Answered} answered @param {string} href */
function createLine({ experiment, question, hasResult, line }, href) {
  const { mark, word, figure, interval, reason } = line;
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
