/** What a run says whose server resets connections: what was lost, and what went on. */
import { formatDelay } from '../../base/format.js';
import { STREAM_LABELS, streamMethods } from '../../net/stream/index.js';

/**
 * @import { StreamSummary } from './summary.js'
 * @typedef {StreamSummary['cuts'][number]} CutRow
 */

/** @param {CutRow} row */
const isLosing = ({ lost }) => Number(lost?.median) > 0;

/**
 * Finds what to use instead of a method that lost pieces.
 * @param {StreamSummary['cuts']} cuts @param {string} today @returns {CutRow | undefined} what resumed, if possible by the same client;
 *   absent where today's method lost none, or nothing resumed
 */
export function findReplacement(cuts, today) {
  if (!cuts.some((row) => row.method === today && isLosing(row))) return undefined;
  const resumed = cuts.filter((row) => row.back && !isLosing(row));
  return resumed.find(({ method }) => streamMethods[method].client === streamMethods[today].client) ?? resumed[0];
}

/** Who decides how long a method waits before it connects again. @param {string} method */
const waiterOf = (method) =>
  streamMethods[method].client === 'event-source' ? 'the browser waits' : 'its code waits 1 s';

/**
 * Says what the reset cost each method.
 * @param {StreamSummary['cuts']} cuts @returns {string} sentences
 */
export function describeCut(cuts) {
  if (cuts.length === 0) return 'The reset broke no stream.';
  const losing = cuts.filter(isLosing);
  const whole = cuts.filter((row) => !losing.includes(row));
  const lost = losing.map(
    ({ method, lost: spread }) => `${STREAM_LABELS[method]} ${Math.round(Number(spread?.median))}`,
  );
  const resumed = whole.flatMap(({ method, back }) =>
    back ? [`${STREAM_LABELS[method]} after ${formatDelay(back.median)} (${waiterOf(method)})`] : [],
  );
  // All pieces had come before the connection was lost.
  const done = whole.flatMap(({ method, back }) => (back ? [] : [STREAM_LABELS[method]]));
  return [
    ...(lost.length > 0 ? [`Pieces lost after the reset: ${lost.join(', ')}.`] : []),
    ...(resumed.length > 0 ? [`These resumed where they were: ${resumed.join(', ')}.`] : []),
    ...(done.length > 0 ? [`These had all pieces before the reset: ${done.join(', ')}.`] : []),
  ].join(' ');
}
