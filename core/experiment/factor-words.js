/** What a verdict on a factor says: the one place where it becomes text. */
import { DASH, formatRange } from '../base/format.js';
import { MIN_BLOCKS, SAME_PERCENT } from './compare.js';

/**
 * @import { Interval } from '../base/statistics/intervals.js'
 * @import { Judged } from './compare.js'
 */

/** @typedef {{ name: string, judged: Judged }} Factor `name`: of what is judged */

/** The four verdicts in words. */
export const VERDICT_LABELS = Object.freeze({
  same: `same within ${SAME_PERCENT}%`,
  faster: 'faster',
  slower: 'slower',
  unclear: 'no clear difference',
});

/**
 * @param {Judged | undefined} judged
 * @returns {string} a table's cell, which has a factor only where the verdict is faster or slower; a dash without a verdict
 * @example formatJudged({ word: 'faster', ratio: { estimate: 2, low: 1.5, high: 2.7 } }) // 'faster: 2.0x (95% CI 1.5–2.7)'
 */
export function formatJudged(judged) {
  if (!judged?.word || !judged.ratio) return DASH;
  const { word, ratio } = judged;
  const outcome = word === 'faster' || word === 'slower' ? `${word}: ${formatFactor(ratio)}` : VERDICT_LABELS[word];
  return `${outcome} (95% CI ${formatRange(ratio)})`;
}

/** Of a factor that differs by more than 10% two decimals say enough. @param {Interval} ratio */
const formatFactor = ({ estimate, low, high }) => `${estimate.toFixed(high - low < 0.5 ? 2 : 1)}x`;

/**
 * @param {readonly Factor[]} factors
 * @param {string} what follows a factor, like 'as fast as AJAX'
 * @returns {string} without its full stop
 * @example describeFactors([sockjs, fetch], 'as fast as AJAX') // 'SockJS 2.0x as fast as AJAX; no clear difference for fetch'
 */
export function describeFactors(factors, what) {
  const clear = factors.filter(({ judged: { word } }) => word === 'faster' || word === 'slower');
  const figures = clear.map(({ name, judged }) => `${name} ${judged.ratio ? formatFactor(judged.ratio) : ''}`);
  const others = /** @type {const} */ (['same', 'unclear']).flatMap((outcome) => {
    const names = factors.filter(({ judged: { word } }) => word === outcome).map(({ name }) => name);
    return names.length > 0 ? [`${VERDICT_LABELS[outcome]} for ${listOf(names)}`] : [];
  });
  const unjudged = factors.filter(({ judged: { word } }) => !word).map(({ name }) => name);
  return [
    ...(figures.length > 0 ? [`${listOf(figures)} ${what}`] : []),
    ...others,
    ...(unjudged.length > 0 ? [`too little was measured of ${listOf(unjudged)}`] : []),
  ].join('; ');
}

/**
 * @param {number} blocks of the plan
 * @returns {string | undefined} where they are too few for any verdict
 */
export function describeTooFewBlocks(blocks) {
  return blocks < MIN_BLOCKS ? `no verdict below ${MIN_BLOCKS} blocks, and this run has ${blocks}` : undefined;
}

/** @param {readonly string[]} names at least one @returns {string} like 'AJAX, fetch and SockJS' */
export function listOf(names) {
  const last = names[names.length - 1];
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${last}` : last;
}
