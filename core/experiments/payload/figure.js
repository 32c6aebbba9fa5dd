/**
 * A figure of a run over sizes: a geometric mean over blocks, with an interval from 6 blocks on. Of two to five, Student's t
 * makes intervals that reach from almost 0 to billions.
 */
import { DASH, formatWithInterval } from '../../base/format.js';
import { MIN_BLOCKS } from '../../experiment/compare.js';
import { ratioInterval } from '../../base/statistics/intervals.js';
import { mean } from '../../base/statistics/values.js';

/** @import { Interval } from '../../base/statistics/intervals.js' */

/**
 * @typedef {object} Figure
 * @property {number} estimate
 * @property {number} [low] with `high`: the interval
 * @property {number} [high]
 */

/**
 * @param {readonly number[]} values above 0, one of each block
 * @param {number} [confidence]
 * @returns {Figure | undefined} their geometric mean; absent without a value
 */
export function figureOf(values, confidence) {
  if (values.length >= MIN_BLOCKS) return ratioInterval(values, confidence);
  const middle = mean(values.map(Math.log));
  return middle === undefined ? undefined : { estimate: Math.exp(middle) };
}

/** @param {Figure} figure @returns {figure is Interval} */
export function hasInterval(figure) {
  return figure.low !== undefined && figure.high !== undefined;
}

/**
 * @param {Figure | undefined} figure
 * @param {number} [pivot] 1 for a ratio, as decimals have it
 * @returns {string} like '1.9 (1.4 to 2.5)', or '1.93' without an interval; a dash where there is none
 */
export function formatFigure(figure, pivot) {
  if (!figure) return DASH;
  return hasInterval(figure) ? formatWithInterval(figure, pivot) : formatSignificant(figure.estimate);
}

/**
 * @param {number | undefined} value not below 0
 * @param {number} [digits] at least so many
 * @returns {string} never with an exponent: '0.000125', '1.93', '1250'
 */
export function formatSignificant(value, digits = 3) {
  if (value === undefined) return DASH;
  const tens = value > 0 ? Math.floor(Math.log10(value)) : 0;
  return value.toFixed(Math.min(20, Math.max(0, digits - 1 - tens)));
}
