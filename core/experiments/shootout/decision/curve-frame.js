/** What the parts of the decision's picture share: the frame that they are drawn in, and its text. */
import { node } from './svg.js';

/** Around the plot, in CSS pixels. */
export const MARGIN = { top: 44, right: 16, bottom: 44, left: 44 };

/**
 * @typedef {{ x: number, y: number }} Point
 *
 * @typedef {object} Frame
 * @property {number} width
 * @property {number} height
 * @property {(rttMs: number) => number} x
 * @property {(ratio: number) => number} y
 * @property {{ low: number, high: number }} rtts
 * @property {{ low: number, high: number }} ratios
 * @property {readonly number[]} steps the round-trip times of the lines' points
 */

/**
 * @param {string} words
 * @param {Point} at
 * @param {'start' | 'middle' | 'end'} anchor
 * @param {Record<string, string>} [style]
 */
export function text(words, { x, y }, anchor, style = { class: 'tick' }) {
  return node('text', { ...style, x: round(x), y: round(y), 'text-anchor': anchor }, words);
}

/** @param {string} kind @param {Point} from @param {Point} to @param {Record<string, string>} [style] */
export function line(kind, from, to, style) {
  return node('line', {
    class: kind,
    x1: round(from.x),
    y1: round(from.y),
    x2: round(to.x),
    y2: round(to.y),
    ...style,
  });
}

/** @param {number} px */
export function round(px) {
  return Number(px.toFixed(1));
}
