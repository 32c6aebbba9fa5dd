/** The figure of a line as a number with its unit, for those who sum up the figures of several runs. */
import { capitalize, formatInSeconds } from '../base/format.js';
import { nameVerdict, verdictOf } from './compare.js';
import { markOf } from './score-line.js';

/**
 * @import { Interval } from '../base/statistics.js'
 * @import { ScoreLine } from './score-line.js'
 * @typedef {Pick<ScoreLine, 'mark' | 'word'>} Word what a figure's interval says
 * @typedef {keyof typeof UNITS} Unit
 * @typedef {object} Amount
 * @property {number} value
 * @property {Unit} unit
 * @property {number} [total] of which the value is a part
 * @property {string} [at] where, if a line has one of several, such as 'download of 1 MB'
 */

/** @param {number} value */
const formatTimes = (value) => `${value.toFixed(value < 3 ? 2 : 1)}x`;

/** @param {number} value that may be between two counts, as a median is */
const formatCount = (value) => String(Number(value.toFixed(1)));

/** @param {Interval} ratio @returns {Word} */
function judgeRatio(ratio) {
  const judged = { verdict: verdictOf(ratio), ratio };
  return { mark: markOf(judged), word: capitalize(nameVerdict(judged)) };
}

/** @param {Pick<Interval, 'low' | 'high'>} soonerMs @returns {Word} */
export function judgeSooner({ low, high }) {
  if (low > 0) return { mark: 'better', word: 'Sooner' };
  return high < 0 ? { mark: 'worse', word: 'Later' } : { mark: 'unclear', word: 'No clear difference' };
}

/**
 * The units by their names in stored runs; `head`: of a column; `judge`: by the rule of a run, absent where a word says more than
 * its figure.
 * @satisfies {Readonly<Record<string, { head: string, format: (value: number, total?: number) => string, judge?: (interval: Interval)
 *   => Word }>>}
 */
export const UNITS = Object.freeze({
  'times-as-fast': { head: 'times as fast', format: formatTimes, judge: judgeRatio },
  'times-as-many': { head: 'times as many', format: formatTimes, judge: judgeRatio },
  'sooner-ms': {
    head: 'sooner by',
    judge: judgeSooner,
    format: (/** @type {number} */ ms) => formatInSeconds({ estimate: ms, low: ms - 10, high: ms + 10 }).figure,
  },
  'checks-passed': {
    head: 'checks passed',
    format: (/** @type {number} */ value, /** @type {number | undefined} */ total) =>
      total === undefined ? formatCount(value) : `${formatCount(value)} of ${total}`,
  },
  'lost-seconds': {
    head: 'of messages lost with ping',
    format: (/** @type {number} */ seconds) => `${seconds.toFixed(1)} s`,
  },
  /** Of earlier releases: it followed from the plan. */
  'messages-lost': { head: 'messages lost at most', format: formatCount },
});

/** @param {Amount} amount @returns {string} */
export const formatAmount = ({ value, unit, total }) => UNITS[unit].format(value, total);
