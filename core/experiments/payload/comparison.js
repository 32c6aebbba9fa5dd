/**
 * One transport's time for a size and a direction beside another's, block by block: within a block they lie next to each
 * other, so what the way is doing meanwhile is in both.
 */
import { BASELINES, wordOf } from '../../experiment/compare.js';
import { median } from '../../base/statistics/quantile.js';
import { STEPS_PER_TRUSTED_TIME } from '../../base/statistics/summary.js';
import { figureOf, hasInterval } from './figure.js';

/**
 * @import { Direction } from '../../net/transfer/index.js'
 * @import { Figure } from './figure.js'
 * @import { PayloadTrial } from './measure.js'
 */

/**
 * @typedef {object} PayloadComparison
 * @property {string} transport
 * @property {string} baseline
 * @property {number} blockCount in which both have a time
 * @property {boolean} isTooCoarse the times are too short for the clock: nothing can be said
 * @property {Figure} [speedRatio] how many times as fast as the baseline; absent without a block, its interval below 6
 * @property {'same' | 'faster' | 'slower' | 'unclear'} [word] absent below 6 blocks
 */

/**
 * @param {{ transports: readonly string[] }} plan
 * @returns {string | undefined} what all others are set against: AJAX, in Node fetch; absent where there is neither
 */
export function payloadBaselineOf({ transports }) {
  return BASELINES.find((name) => transports.includes(name));
}

/**
 * @param {object} options
 * @param {readonly PayloadTrial[]} options.trials
 * @param {Direction} options.direction
 * @param {number} options.size
 * @param {string} options.transport
 * @param {string} options.baseline
 * @param {number} [options.stepMs] of the clock
 * @param {number} [options.confidence]
 * @returns {PayloadComparison}
 */
export function comparePayload({ trials, direction, size, transport, baseline, stepMs = 0, confidence }) {
  const own = trials.filter((trial) => trial.direction === direction && trial.size === size);
  const baseTimes = timesByBlock(own, baseline);
  const pairs = [...timesByBlock(own, transport)].flatMap(([block, ms]) => {
    const baseMs = baseTimes.get(block);
    return baseMs === undefined ? [] : [[baseMs, ms]];
  });
  const isTooCoarse = [0, 1].some((side) =>
    isTooShort(
      pairs.map((pair) => pair[side]),
      stepMs,
    ),
  );
  const speedRatio = isTooCoarse
    ? undefined
    : figureOf(
        pairs.map(([baseMs, ms]) => baseMs / ms),
        confidence,
      );
  const word = speedRatio && hasInterval(speedRatio) ? wordOf(speedRatio) : undefined;
  return { transport, baseline, blockCount: pairs.length, isTooCoarse, speedRatio, word };
}

/**
 * @param {readonly PayloadTrial[]} own of one size and direction @param {string} transport
 * @returns {Map<number, number>} milliseconds by block
 */
function timesByBlock(own, transport) {
  return new Map(
    own.flatMap((trial) =>
      trial.transport === transport && trial.durationMs !== undefined
        ? [/** @type {const} */ ([trial.block, trial.durationMs])]
        : [],
    ),
  );
}

/** @param {readonly number[]} times @param {number} stepMs */
function isTooShort(times, stepMs) {
  // A clock whose step is not known may have seen no time pass; of 0 there is no ratio.
  return times.some((ms) => ms <= 0) || Number(median(times)) < STEPS_PER_TRUSTED_TIME * stepMs;
}
