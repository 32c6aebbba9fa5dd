/** What a run says whose server resets connections: what was lost, and what went on. */
import { formatDelay } from '../../base/format.js';
import { STREAM_LABELS } from '../../net/stream/index.js';

/** @import { StreamSummary } from './summary.js' */

/**
 * Says what the reset cost each method.
 * @param {StreamSummary['cuts']} cuts @returns {string} sentences
 */
export function describeCut(cuts) {
  if (cuts.length === 0) return 'The reset broke no stream.';
  const losing = cuts.filter(({ lost }) => Number(lost?.median) > 0);
  const whole = cuts.filter((row) => !losing.includes(row));
  const lost = losing.map(
    ({ method, lost: spread }) => `${STREAM_LABELS[method]} ${Math.round(Number(spread?.median))}`,
  );
  const resumed = whole.flatMap(({ method, back }) =>
    back ? [`${STREAM_LABELS[method]} after ${formatDelay(back.median)}`] : [],
  );
  // All pieces had come before the connection was lost.
  const done = whole.flatMap(({ method, back }) => (back ? [] : [STREAM_LABELS[method]]));
  return [
    ...(lost.length > 0 ? [`Pieces lost after the reset: ${lost.join(', ')}.`] : []),
    ...(resumed.length > 0 ? [`These resumed where they were: ${resumed.join(', ')}.`] : []),
    ...(done.length > 0 ? [`These had all pieces before the reset: ${done.join(', ')}.`] : []),
  ].join(' ');
}
