/** Shows the lines of a full test: question, verdict with icon and word, figure over interval, reason, link. */
import { create, element } from './page.js';

/** @import { Answered } from '../../../core/full-test/lines.js' */

/**
 * @param {readonly Answered[]} lines @param {(experiment: string) => string | undefined} hrefOf the full result of each;
 *   absent if there is none
 */
export function showLines(lines, hrefOf) {
  element('#lines').replaceChildren(...lines.map((answered) => createLine(answered, hrefOf(answered.experiment))));
}

/** @param {Answered} answered @param {string} [href] */
function createLine({ experiment, question, line: { mark, word, figure, interval, reason } }, href) {
  const figures = [
    ...(figure ? [create('strong', {}, figure)] : []),
    ...(interval ? [create('small', {}, interval)] : []),
  ];
  const link = create('a', { href: href ?? '', 'aria-label': `${question}: full result` }, '›');
  return create(
    'li',
    { 'data-mark': mark, 'data-experiment': experiment },
    create('strong', { class: 'question' }, question),
    create('span', { class: 'word' }, word),
    create('span', { class: 'figure' }, ...figures),
    create('span', { class: 'reason' }, reason),
    ...(href ? [link] : []),
  );
}
