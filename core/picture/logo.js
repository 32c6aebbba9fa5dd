/** The site's logo: what a result looks like, a long bar and a short one. Icons, pages and pictures to share have it from here. */
import { node } from './svg.js';

/** @import { SvgNode } from './svg.js' */

/** The width and height of its shapes, px. */
export const LOGO_PX = 32;

/** @param {string} d @param {string} stroke @returns {SvgNode} */
const bar = (d, stroke) => node('path', { d, stroke, 'stroke-width': 6, 'stroke-linecap': 'round' });

/** Its shapes, in a square of its size. @type {readonly SvgNode[]} */
export const LOGO = Object.freeze([
  node('rect', { width: LOGO_PX, height: LOGO_PX, rx: 8, fill: '#10264a' }),
  bar('M8 11.5h16', '#ffb066'),
  bar('M8 21h3.5', '#fff'),
]);
