/**
 * One transport against another, over the blocks of a run.
 *
 * Over blocks, not over samples: those within a trial depend on each other. Each block gives one difference and one ratio
 * of the two medians; their intervals are Student's t over the blocks.
 */
import { meanInterval, ratioInterval } from '../base/statistics/intervals.js';
import { mean, median } from '../base/statistics/values.js';
import { isFineEnough, STEPS_PER_TRUSTED_TIME, totalMs } from '../base/statistics/summary.js';

/**
 * @import { Interval } from '../base/statistics/intervals.js'
 * @import { RunTrial } from '../net/echo/trial.js'
 */

/** The transport that all others are set against on the page. */
export const BASELINE = 'ajax';

/** What others can be set against, by the first of these that a plan has: outside browsers there is no AJAX. */
export const BASELINES = Object.freeze([BASELINE, 'fetch']);

/** By fewer blocks an interval cannot be trusted. */
export const MIN_BLOCKS = 6;

/** Within this factor two transports are the same for most purposes. */
export const SAME_RATIO = 1.1;
export const SAME_PERCENT = Math.round((SAME_RATIO - 1) * 100);
const SAME_LOG = Math.log(SAME_RATIO);

/**
 * @typedef {object} Comparison
 * @property {string} transport
 * @property {string} baseline
 * @property {number} blockCount blocks in which both have samples
 * @property {'median' | 'mean'} statistic of a trial: the mean, made of the trial's whole time, where single round trips
 *   are too short for the clock
 * @property {boolean} isTooCoarse the clock does not even see a trial's whole time well enough: nothing can be said
 * @property {readonly (readonly [baselineMs: number, transportMs: number])[]} centres of each block; none where the clock is too
 *   coarse
 * @property {Interval} [savingMs] what a message takes less by the transport than by the baseline; absent below two
 *   blocks
 * @property {Interval} [speedRatio] how many times as fast the transport is
 * @property {'same' | 'faster' | 'slower' | 'unclear'} [word] absent below {@link MIN_BLOCKS}
 * @property {number} [neededBlocks] about how many would tell; only where it is unclear
 */

/**
 * @param {object} options
 * @param {readonly RunTrial[]} options.trials
 * @param {string} options.baseline
 * @param {string} options.transport
 * @param {number} [options.stepMs] of the clock
 * @param {number} [options.confidence]
 * @returns {Comparison}
 */
export function compareTransports({ trials, baseline, transport, stepMs = 0, confidence = 0.95 }) {
  const pairs = pairsOf(trials, baseline, transport);
  const measured = pairs.flat();
  const isFine = measured.every(({ samples }) => isFineEnough(samples, stepMs));
  // All or none: to leave out the blocks in which the clock saw nothing would keep those in which it saw too much.
  const centre = isFine ? medianOf : meanOf;
  const allCentres = pairs.map(([base, other]) => /** @type {const} */ ([centre(base), centre(other)]));
  const isTooCoarse =
    measured.some(({ samples }) => totalMs(samples) <= STEPS_PER_TRUSTED_TIME * stepMs) ||
    // A clock whose step is not known may have seen no time pass; of 0 there is no ratio.
    allCentres.flat().some((ms) => ms <= 0);
  const centres = isTooCoarse ? [] : allCentres;
  const savingMs = meanInterval(
    centres.map(([base, other]) => base - other),
    confidence,
  );
  const { ratio: speedRatio, ...judged } = judge(
    centres.map(([base, other]) => base / other),
    confidence,
  );

  return {
    transport,
    baseline,
    blockCount: pairs.length,
    isTooCoarse,
    statistic: isFine ? 'median' : 'mean',
    centres,
    savingMs,
    speedRatio,
    ...judged,
  };
}

/**
 * @typedef {object} Judged
 * @property {Interval} [ratio] absent below two blocks
 * @property {'same' | 'faster' | 'slower' | 'unclear'} [word] absent below {@link MIN_BLOCKS}
 * @property {number} [neededBlocks] about how many would tell; only where it is unclear
 */

/**
 * The verdict on any factor.
 *
 * @param {readonly number[]} ratios above 0, one of each block; above 1 where what is judged is faster
 * @param {number} [confidence]
 * @returns {Judged}
 */
export function judge(ratios, confidence) {
  const ratio = ratioInterval(ratios, confidence);
  const word = ratio && ratios.length >= MIN_BLOCKS ? wordOf(ratio) : undefined;
  const neededBlocks = word === 'unclear' && ratio ? neededBlocksOf(ratio, ratios.length) : undefined;
  return { ratio, word, neededBlocks };
}

/**
 * @param {readonly RunTrial[]} trials @param {string} baseline @param {string} transport
 * @returns {RunTrial[][]} a pair for each block in which both have samples
 */
function pairsOf(trials, baseline, transport) {
  const withSamples = trials.filter(({ samples }) => samples.iteration.length > 0);
  /** @param {number} block @param {string} name */
  const find = (block, name) => withSamples.find((trial) => trial.block === block && trial.transport === name);
  const blocks = new Set(withSamples.map(({ block }) => block));
  return [...blocks]
    .map((block) => [find(block, baseline), find(block, transport)])
    .filter((pair) => pair.every((trial) => trial !== undefined));
}

/** @param {RunTrial} trial with samples */
function medianOf({ samples }) {
  return /** @type {number} */ (median(samples.roundTripMs));
}

/** With failures in between the whole time is not that of the samples. @param {RunTrial} trial with samples */
function meanOf({ samples, failures }) {
  const { roundTripMs } = samples;
  if (failures.length === 0) return totalMs(samples) / roundTripMs.length;
  return /** @type {number} */ (mean(roundTripMs));
}

/**
 * In this order: an interval that lies within the margin says "same" even where it excludes 1.
 *
 * @param {Interval} speedRatio
 * @returns {'same' | 'faster' | 'slower' | 'unclear'}
 */
export function wordOf({ low, high }) {
  if (low > 1 / SAME_RATIO && high < SAME_RATIO) return 'same';
  if (low > 1) return 'faster';
  if (high < 1) return 'slower';
  return 'unclear';
}

/**
 * How many blocks would make the interval narrow enough to exclude 1, or to fit into the margin, whichever needs fewer,
 * should the estimate stay what it is.
 * @param {Interval} speedRatio @param {number} blockCount
 */
function neededBlocksOf(speedRatio, blockCount) {
  const { estimate, low, high } = speedRatio;
  const distance = Math.abs(Math.log(estimate));
  const wantedReach = Math.max(distance, SAME_LOG - distance);
  const reach = Math.log(high / low) / 2;
  // A little too many, as the factor of few blocks is larger than that of many.
  return Math.max(blockCount + 1, Math.ceil(blockCount * (reach / wantedReach) ** 2));
}
