/** @import { SvgNode } from '../../../core/base/svg.js' */

const SVG = 'http://www.w3.org/2000/svg';

/** @param {SvgNode} tree @returns {SVGElement} */
export function createSvg({ tag, attributes, children }) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children.map((child) => (typeof child === 'string' ? child : createSvg(child))));
  return made;
}
