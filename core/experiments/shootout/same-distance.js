/** Finds the round-trip time from which on a choice between two transports does not matter. */
import { formatRtt } from '../../base/format.js';
import { nameSameDistance, SAME_PERCENT, SAME_RATIO, verdictOf } from '../../experiment/answer/verdict.js';
import { PREDICTION_INTERVAL, predictSpeedRatio } from './distance-model.js';

/**
 * @import { Interval } from '../../base/statistics.js'
 * @import { DistanceModel } from './distance-model.js'
 */

const FAR_MS = 1e7;
const NEAR_MS = 1e-3;
const FACTOR = 1.2;

/**
 * Finds the distance from which on the two are within 10%, with its interval: `lowMs`, from where a part of the predicted
 * ratio's interval is within 10%; `highMs`, from where all of it is. 0: everywhere; Infinity: nowhere far away.
 * @param {DistanceModel} model @returns {{ lowMs: number, estimateMs: number, highMs: number }}
 */
export function findSameDistance(model) {
  const from = (/** @type {(ratio: Interval) => boolean} */ isSame) =>
    findFirstMs((distanceMs) => isSame(predictSpeedRatio(model, distanceMs)));
  return {
    lowMs: from(({ low, high }) => low < SAME_RATIO && high > 1 / SAME_RATIO),
    estimateMs: from(({ estimate }) => estimate < SAME_RATIO && estimate > 1 / SAME_RATIO),
    highMs: from((ratio) => verdictOf(ratio) === 'same'),
  };
}

/** @param {(distanceMs: number) => boolean} isSame at any large distance, if at all @returns {number} from which on it is */
function findFirstMs(isSame) {
  if (!isSame(FAR_MS)) return Infinity;
  let sameMs = FAR_MS;
  while (sameMs > NEAR_MS && isSame(sameMs / FACTOR)) sameMs /= FACTOR;
  if (sameMs <= NEAR_MS) return 0;
  let differentMs = sameMs / FACTOR;
  for (;;) {
    const middleMs = (differentMs + sameMs) / 2;
    if (middleMs <= differentMs || middleMs >= sameMs) return sameMs;
    if (isSame(middleMs)) sameMs = middleMs;
    else differentMs = middleMs;
  }
}

/** @param {DistanceModel} model @returns {string} a clause: from which round-trip time on the choice does not matter */
export function describeSameDistance(model) {
  const { lowMs, estimateMs, highMs } = findSameDistance(model);
  if (highMs === 0) return `the same within ${SAME_PERCENT}% at any round-trip time`;
  if (highMs === Infinity) return `still more than ${SAME_PERCENT}% apart at any longer round-trip time`;
  return `the same ${nameSameDistance(estimateMs)} round-trip time (${PREDICTION_INTERVAL} ${formatRtt(lowMs)}–${formatRtt(highMs)} ms)`;
}
