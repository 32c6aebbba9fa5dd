/** Shows the lines of a full test: question, verdict with icon and word, figure over interval, reason, link. */
import { node } from '../../../core/base/svg.js';
import { createSvg } from '../charts/svg.js';
import { create, element } from './page.js';

/** @import { SvgNode } from '../../../core/base/svg.js' */
/** @import { Answered } from '../../../core/full-test/lines.js' */
/** @import { ScoreLine } from '../../../core/experiment/score-line.js' */

const DISC = node('circle', { cx: 10, cy: 10, r: 9 });
const CIRCLE = node('circle', { cx: 10, cy: 10, r: 8, class: 'hollow' });
/** @param {string} points @param {string} [kind] */
const stroke = (points, kind = 'sign') => node('polyline', { points, class: kind });

/** The shapes differ, for those who cannot tell the colours apart. @type {Readonly<Record<ScoreLine['mark'], readonly SvgNode[]>>} */
const ICONS = Object.freeze({
  better: [DISC, stroke('6,10.5 9,13.5 14,7')],
  same: [DISC, stroke('6,8 14,8'), stroke('6,12 14,12')],
  worse: [node('polygon', { points: '10,0.5 19.5,10 10,19.5 0.5,10' }), stroke('10,5 10,11'), stroke('10,14 10,14.5')],
  unclear: [CIRCLE, stroke('7.5,8 8,6.5 10,6 12,6.5 12.3,8 10,10.3 10,11.3', 'line'), stroke('10,14 10,14.4', 'line')],
  none: [CIRCLE],
});

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
  const icon = createSvg(node('svg', { viewBox: '0 0 20 20', 'aria-hidden': 'true' }, ...ICONS[mark]));
  const link = create('a', { href, 'aria-label': `${question}: full result` }, '›');
  return create(
    'li',
    { 'data-mark': mark, 'data-experiment': experiment },
    create('strong', { class: 'question' }, question),
    create('span', { class: 'word' }, icon, word),
    create('span', { class: 'figure' }, ...figures),
    create('span', { class: 'reason' }, keepUnits(reason)),
    ...(hasResult ? [link] : []),
  );
}
