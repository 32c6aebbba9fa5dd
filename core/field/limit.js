/** Up to which distance a WebSocket gains more than what is the same, and how many of a study's users are farther away. */
import { formatRtt } from '../base/format.js';
import { sumOf } from '../base/statistics.js';
import { SAME_PERCENT, SAME_RATIO } from '../experiment/answer/verdict.js';
import { BAND_MS } from './tally.js';

/**
 * @import { Band } from './find.js'
 * @typedef {{ ms: number, speedUp: number }} Point
 */

/** @param {readonly Band[]} bands rising @returns {Point[]} of those with a mean, at their middle */
export const pointsOf = (bands) =>
  bands.flatMap(({ fromMs, speedUp }) => (speedUp ? [{ ms: fromMs + BAND_MS / 2, speedUp }] : []));

/**
 * Finds the distance from which on a WebSocket gains less than what is the same, by a line between the two means beside it.
 * @param {readonly Point[]} points rising in time @returns {number | undefined} ms; absent where all gain more, or none does
 */
export function findSameMs(points) {
  const last = points.findLastIndex(({ speedUp }) => speedUp > SAME_RATIO);
  const [near, far] = [points[last], points[last + 1]];
  if (!near || !far) return undefined;
  return near.ms + ((near.speedUp - SAME_RATIO) / (near.speedUp - far.speedUp)) * (far.ms - near.ms);
}

/** @param {readonly Band[]} bands rising @returns {string} a sentence; empty where too few say it */
export function describeLimit(bands) {
  const points = pointsOf(bands);
  if (points.length === 0) return '';
  const sameMs = findSameMs(points);
  const more = `more than ${SAME_PERCENT}% faster`;
  if (sameMs !== undefined)
    return `${aboutPercent(shareBeyond(bands, sameMs))} of browsers are over ${formatRtt(sameMs)} ms away; on average, WebSocket is not ${more} there.`;
  return points[points.length - 1].speedUp > SAME_RATIO
    ? `WebSocket is ${more} on average, even at the farthest distance.`
    : `On average, WebSocket is not ${more} at any distance.`;
}

/** @param {readonly Band[]} bands @param {number} ms within a band, its browsers are taken as evenly spread @returns {number} a share */
function shareBeyond(bands, ms) {
  const partOf = (/** @type {Band} */ { fromMs }) => Math.min(1, Math.max(0, (fromMs + BAND_MS - ms) / BAND_MS));
  return sumOf(bands, (band) => band.count * partOf(band)) / sumOf(bands, ({ count }) => count);
}

/** @param {number} share @returns {string} in whole percent, as it is an estimate, and never 0 or 100 */
function aboutPercent(share) {
  const percent = Math.round(100 * share);
  if (percent === 0) return 'Under 1%';
  return percent === 100 ? 'Over 99%' : `About ${percent}%`;
}
