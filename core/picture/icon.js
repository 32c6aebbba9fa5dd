/** The icons of the marks that verdicts have. */
import { node } from './svg.js';

/** @import { SvgNode } from './svg.js' */

const DISC = node('circle', { cx: 10, cy: 10, r: 9 });
const CIRCLE = node('circle', { cx: 10, cy: 10, r: 8, class: 'hollow' });
/** @param {string} points @param {string} [kind] */
const stroke = (points, kind = 'sign') => node('polyline', { points, class: kind });

/** Their shapes differ, for those who cannot tell the colours apart. @satisfies {Record<string, readonly SvgNode[]>} */
const ICONS = Object.freeze({
  better: [DISC, stroke('6,10.5 9,13.5 14,7')],
  same: [DISC, stroke('6,8 14,8'), stroke('6,12 14,12')],
  worse: [node('polygon', { points: '10,0.5 19.5,10 10,19.5 0.5,10' }), stroke('10,5 10,11'), stroke('10,14 10,14.5')],
  unclear: [CIRCLE, stroke('7.5,8 8,6.5 10,6 12,6.5 12.3,8 10,10.3 10,11.3', 'line'), stroke('10,14 10,14.4', 'line')],
  none: [CIRCLE],
});

/** Draws the icon of a mark. @param {keyof typeof ICONS} mark of a verdict @returns {SvgNode} */
export const iconOf = (mark) => node('svg', { viewBox: '0 0 20 20', 'aria-hidden': 'true' }, ...ICONS[mark]);
