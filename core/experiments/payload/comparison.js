/**
 * Compares one transport's time with another's, for one size and direction, block by block: within a block they are measured
 * next to each other, so changes of the path affect both.
 */
import { BASELINES, wordOf } from '../../experiment/compare.js';
import { median } from '../../base/statistics/values.js';
import { STEPS_PER_TRUSTED_TIME } from '../../base/statistics/summary.js';
import { figureOf, hasInterval } from './figure.js';

/**
 * @import { Direction } from '../../net/transfer/index.js'
 * @import { Figure } from './figure.js'
 * @import { PayloadTrial } from './measure.js'
 */

/** Of all verdicts about one transport in one direction together. */
const ERROR = 0.05;

/** @typedef {'same' | 'faster' | 'slower' | 'unclear'} Verdict */

/**
 * @typedef {object} PayloadComparison
 * @property {string} transport
 * @property {string} baseline
 * @property {number} blockCount in which both have a time
 * @property {boolean} isTooCoarse the times are too short for the clock: there is no ratio
 * @property {Figure} [speedRatio] how many times as fast as the baseline, with its 95% interval; absent without a block, its
 *   interval below 6 blocks
 * @property {Verdict} [verdict] absent below 6 blocks
 */

/**
 * @param {{ transports: readonly string[] }} plan
 * @returns {string | undefined} the transport that all others are compared with: AJAX, in Node.js fetch
 */
export function payloadBaselineOf({ transports }) {
  return BASELINES.find((name) => transports.includes(name));
}

/**
 * @param {number} sizeCount
 * @returns {number} the confidence of each size's verdict: the sizes share the 5% error (Bonferroni), so that two equal
 *   transports differ at some size in at most 5% of the runs
 */
export function confidenceAt(sizeCount) {
  return 1 - ERROR / sizeCount;
}

/**
 * @param {object} options
 * @param {readonly PayloadTrial[]} options.trials
 * @param {Direction} options.direction
 * @param {number} options.size
 * @param {string} options.transport
 * @param {string} options.baseline
 * @param {number} [options.stepMs] of the clock
 * @param {number} [options.sizeCount] of the plan
 * @returns {PayloadComparison}
 */
export function comparePayload({ trials, direction, size, transport, baseline, stepMs = 0, sizeCount = 1 }) {
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
  const ratios = isTooCoarse ? [] : pairs.map(([baseMs, ms]) => baseMs / ms);
  const judged = figureOf(ratios, confidenceAt(sizeCount));
  return {
    transport,
    baseline,
    blockCount: pairs.length,
    isTooCoarse,
    speedRatio: figureOf(ratios),
    verdict: judged && hasInterval(judged) ? wordOf(judged) : undefined,
  };
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
  // A clock of unknown step may measure 0, of which there is no ratio.
  return times.some((ms) => ms <= 0) || Number(median(times)) < STEPS_PER_TRUSTED_TIME * stepMs;
}
