/** Draws bars, which begin at 0. */
import { formatBarTime } from '../base/format.js';
import { node } from './svg.js';

/**
 * @import { SvgNode } from './svg.js'
 * @typedef {readonly [Bar, Bar, ...Bar[]]} Bars what is used now, and what was compared with it; or all that were measured
 * @typedef {object} Bar
 * @property {string} name
 * @property {number} value its length, by any measure from 0 on
 * @property {string} figure with its unit
 * @property {string} [colour] the name of a custom property, without its dashes
 * @property {{ value: number, figure: string }} [matters] the length from which on, downwards, it differs by more than 10%
 */

/**
 * Makes bars of what was measured.
 * @param {readonly { name: string, value: number, figure?: string, colour: string }[]} measured two or more; `figure`: if its value is no
 *   latency, or is below 0, where its bar has no length
 * @returns {Bars}
 */
export function toBars(measured) {
  const [first, second, ...others] = measured.map(({ name, value, figure = formatBarTime(value), colour }) =>
    Object.freeze({ name, value: Math.max(0, value), figure, colour }),
  );
  return [first, second, ...others];
}

/**
 * Each bar as a picture as wide as its place, whose lengths are parts of the longest.
 * @param {Bars} bars
 * @param {{ longest?: number, height?: number, hasMark?: boolean }} [scale] `longest`: if they share it with others; `height`: px;
 *   `hasMark`: where a difference begins to matter
 * @returns {(Bar & { picture: SvgNode })[]}
 */
export function drawAnswerBars(bars, { longest, height = 28, hasMark = true } = {}) {
  const scale = { longest: longest ?? Math.max(...bars.map(({ value }) => value)), height };
  return bars.map((bar) => ({ ...bar, picture: drawBar(hasMark ? bar : { ...bar, matters: undefined }, scale) }));
}

/** @param {Bar} bar @param {{ longest: number, height: number }} scale */
function drawBar({ value, colour, matters }, { longest, height }) {
  const share = (/** @type {number} */ length) => `${longest > 0 ? Number(((100 * length) / longest).toFixed(2)) : 0}%`;
  const x = matters && share(matters.value);
  return node(
    'svg',
    { class: 'answer-bar', width: '100%', height, 'aria-hidden': 'true' },
    node('rect', { width: share(value), height, fill: colour ? `var(--${colour})` : 'currentcolor' }),
    ...(x ? [node('line', { class: 'matters', x1: x, x2: x, y1: 0, y2: height })] : []),
  );
}

/**
 * @param {Bars} bars @returns {number | undefined} where the mark of the second one stands, as a part of the longest
 */
export const placeOfMark = (bars) =>
  bars[1].matters && bars[1].matters.value / Math.max(...bars.map(({ value }) => value));
