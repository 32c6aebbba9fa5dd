/** The frame of a picture: its size, its margins and its two axes. */
import { logScale } from './svg.js';

/**
 * @import { Point } from './svg.js'
 * @import { Axis, Chart, Dot } from './plot.js'
 * @typedef {Omit<Chart, 'caption'>} Drawn
 * @typedef {{ low: number, high: number }} Domain of an axis
 * @typedef {object} Frame of a chart, in px
 * @property {number} width
 * @property {number} height
 * @property {number} left
 * @property {number} right
 * @property {number} top
 * @property {number} bottom
 * @property {Domain} xDomain
 * @property {Domain} yDomain
 * @property {(value: number) => number} x where a value stands
 * @property {(value: number) => number} y where a value stands
 * @typedef {{ label: string, colour: string, points: readonly Point[], band: readonly Point[] }} Curve as the picture
 *   has it; `band`: its upper edge, and its lower one back to the start
 */

const MARGIN = { top: 44, right: 16, bottom: 44, left: 52 };
/** Of an axis without a title: what stands beneath the picture has it. */
const BOTTOM_WITHOUT_TITLE = 22;
export const DOT_PX = 6;
/** The minimum of an axis, as 0 has no logarithm. */
const MIN = 0.1;
/** The factor between a dot and the edge. */
const ROOM = 1.5;
/** The least factor between a dot and the end of a long axis. */
const BEYOND = 1.05;
/** The ratio of an axis's ends above which it has few ticks. */
export const LONG = 100;

/**
 * Lays out the frame of a chart: its edges, and where each value stands.
 * @param {Drawn} chart @param {{ width: number, height: number }} size @returns {Frame}
 */
export function createFrame({ x, y, values, lines, dots = [] }, { width, height }) {
  const below = x.title ? MARGIN.bottom : BOTTOM_WITHOUT_TITLE;
  const [left, right, top, bottom] = [MARGIN.left, width - MARGIN.right, MARGIN.top, height - below];
  const ys = [...lines.flatMap((one) => one.values), ...dots.flatMap(spanOf)];
  const [xDomain, yDomain] = [domainOf(x, [...values, ...dots.map((dot) => dot.x)]), domainOf(y, ys)];
  return {
    ...{ width, height, left, right, top, bottom, xDomain, yDomain },
    x: logScale(xDomain, [left, right]),
    y: logScale(yDomain, [bottom, top]),
  };
}

/** @param {Dot} dot @returns {number[]} low, in the middle, high */
export const spanOf = ({ y, interval }) => [interval?.low ?? y, y, interval?.high ?? y];

/** @param {Axis} axis @param {readonly (number | null)[]} values @returns {Domain} */
function domainOf({ range }, values) {
  if (range) return { low: Math.max(MIN ** 3, range[0]), high: range[1] };
  const known = values.map((value) => Math.max(MIN, value ?? 1));
  const [low, most] = [Math.min(...known, 1) / ROOM, Math.max(...known, 1)];
  const high = most * ROOM;
  // A long axis has ticks at powers of 10 alone: it ends with one that is no dot's place.
  return { low, high: high / low > LONG ? 10 ** Math.ceil(Math.log10(most * BEYOND)) : high };
}

/** Returns the marks that lie within the frame. @param {Drawn} chart @param {Frame} frame */
export const marksIn = ({ marks = [] }, { xDomain: { low, high } }) => marks.filter(({ x }) => x >= low && x <= high);
