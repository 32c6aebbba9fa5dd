/**
 * Compares two transports by blocks, as the samples of a trial depend on each other, and judges by the intervals. Each
 * block gives a ratio of the two medians; its interval is Student's t, and the saving in ms follows from it.
 */
import {
  mean,
  median,
  ratioInterval,
  isFineEnough,
  STEPS_PER_TRUSTED_TIME,
  sumOf,
  totalMs,
} from '../../base/statistics.js';
import { SAME_RATIO, verdictOf } from './verdict.js';

/**
 * @import { Interval } from '../../base/statistics.js'
 * @import { RunTrial } from '../../net/echo/trial.js'
 * @import { Judged, VerdictName } from './verdict.js'
 * @typedef {{ confidence: number, minBlocks: number }} Rule of intervals, and of the blocks that a verdict needs
 *
 * @typedef {object} Comparison of two transports, block by block
 * @property {string} transport
 * @property {string} baseline
 * @property {number} blockCount
 * @property {boolean} isTooCoarse the clock tells nothing
 * @property {'median' | 'mean'} statistic of a trial: the mean, computed from its whole time, if single round trips are too short for
 *   the clock
 * @property {(readonly [baseMs: number, otherMs: number])[]} centres of each block
 * @property {Interval} [savingMs] per message
 * @property {Interval} [speedRatio]
 * @property {VerdictName} [verdict] absent below the blocks that it needs
 * @property {number} [neededBlocks] an estimate, if it is unclear
 */

/** The transport with which the page compares all others. */
export const BASELINE = 'ajax';
/** The possible baselines; the first one in the plan is used: outside browsers there is no AJAX. */
export const BASELINES = Object.freeze([BASELINE, 'fetch']);

/** Of an interval, if nothing else is said. */
export const CONFIDENCE = 0.95;
/** The minimum number of blocks for a reliable interval. */
export const MIN_BLOCKS = 6;
/** @type {Rule} */
const USUAL_RULE = Object.freeze({ confidence: CONFIDENCE, minBlocks: MIN_BLOCKS });
const SAME_LOG = Math.log(SAME_RATIO);

/**
 * Compares two transports block by block: the ratio of their times, its interval, and the verdict on that.
 * @param {{ trials: readonly RunTrial[], baseline: string, transport: string, stepMs?: number, rule?: Rule }} options
 * @returns {Comparison}
 */
export function compareTransports({ trials, baseline, transport, stepMs = 0, rule = USUAL_RULE }) {
  const pairs = pairsOf(trials, baseline, transport);
  const measured = pairs.flat();
  const isFine = measured.every(({ samples }) => isFineEnough(samples, stepMs));
  // The same statistic is used for all blocks: without the blocks in which the clock saw no time, those with too much
  // would remain.
  const centre = isFine ? medianOf : meanOf;
  const allCentres = pairs.map(([base, other]) => /** @type {const} */ ([centre(base), centre(other)]));
  const isTooCoarse =
    measured.some(({ samples }) => totalMs(samples) <= STEPS_PER_TRUSTED_TIME * stepMs) ||
    // A clock whose step is not known may have seen no time pass, and 0 has no ratio.
    allCentres.flat().some((ms) => ms <= 0);
  const centres = isTooCoarse ? [] : allCentres;
  const { ratio: speedRatio, ...judged } = judge(
    centres.map(([base, other]) => base / other),
    rule,
  );
  return {
    transport,
    baseline,
    ...judged,
    blockCount: pairs.length,
    isTooCoarse,
    statistic: isFine ? 'median' : 'mean',
    centres,
    savingMs: speedRatio && savingOf(speedRatio, bothTimesOf(centres, rule.confidence)),
    speedRatio,
  };
}

/**
 * Returns the times of a message: of the baseline, of the other.
 * @param {readonly (readonly [baseMs: number, otherMs: number])[]} pairs above 0, of two blocks or more
 * @param {number} [confidence] @returns {Interval[]}
 */
export const bothTimesOf = (pairs, confidence) =>
  [0, 1].map((side) => {
    const times = pairs.map((pair) => pair[side]);
    return /** @type {Interval} */ (ratioInterval(times, confidence));
  });

/**
 * Returns the saving per message that a ratio means: its part of the slower one's time. Each end of the ratio is of that end of the time that
 * moves it outwards, as the same error is in both. So it covers the truth as often as the ratio does
 * (`test/core/experiment/answer/saving-coverage.test.js`).
 * @param {Interval} speedRatio @param {readonly Interval[]} timesMs a message's: of the baseline, of the other @returns {Interval}
 */
export function savingOf({ estimate, low, high }, [baseMs, otherMs]) {
  const savingAt = (/** @type {number} */ ratio, /** @type {number} */ endMs, /** @type {number} */ otherEndMs) =>
    ratio >= 1 ? partOf(1 - 1 / ratio, endMs, baseMs.estimate) : -partOf(1 - ratio, otherEndMs, otherMs.estimate);
  return {
    estimate: savingAt(estimate, baseMs.estimate, otherMs.estimate),
    low: savingAt(low, baseMs.low, otherMs.high),
    high: savingAt(high, baseMs.high, otherMs.low),
  };
}

/**
 * Returns a part of a time. It is beyond the margin's part of the time as estimated where the given one is, and only there: else it would
 * contradict the verdict.
 * @param {number} part from 0 to 1 @param {number} endMs of the time's interval @param {number} ms as estimated
 */
function partOf(part, endMs, ms) {
  const marginPart = 1 - 1 / SAME_RATIO;
  const beyond = part > marginPart ? Math.max : Math.min;
  return beyond(part * endMs, marginPart * ms);
}

/**
 * Computes the verdict.
 * @param {readonly number[]} ratios of each block, above 1: the judged one is faster @param {Rule} [rule] @returns {Judged}
 */
export function judge(ratios, { confidence, minBlocks } = USUAL_RULE) {
  const ratio = ratioInterval(ratios, confidence);
  const verdict = ratio && ratios.length >= minBlocks ? verdictOf(ratio) : undefined;
  const neededBlocks = verdict === 'unclear' && ratio ? neededBlocksOf(ratio, ratios.length) : undefined;
  return { ratio, verdict, neededBlocks, blockCount: ratios.length };
}

/**
 * Pairs the trials of a block.
 * @param {readonly RunTrial[]} trials @param {string} baseline @param {string} transport
 */
function pairsOf(trials, baseline, transport) {
  const withSamples = trials.filter(({ samples }) => samples.iteration.length > 0);
  const find = (/** @type {number} */ block, /** @type {string} */ name) =>
    withSamples.find((trial) => trial.block === block && trial.transport === name);
  return [...new Set(withSamples.map(({ block }) => block))]
    .map((block) => [find(block, baseline), find(block, transport)])
    .filter((pair) => pair.every((trial) => trial !== undefined));
}

/** @param {RunTrial} trial with samples */
const medianOf = ({ samples }) => /** @type {number} */ (median(samples.roundTripMs));

/** Returns the mean: from the whole time, unless failures took a part of it. @param {RunTrial} trial with samples */
function meanOf({ samples, failures }) {
  const { roundTripMs } = samples;
  if (failures.length === 0) return totalMs(samples) / roundTripMs.length;
  return /** @type {number} */ (mean(roundTripMs));
}

/**
 * Computes the verdict on the rate of some trials, compared with that of others block by block: faster if it is higher.
 * @template {{ block: number }} T @param {readonly T[]} own @param {readonly T[]} others
 * @param {(trial: T) => number | undefined} rateOf above 0, or absent
 */
export function judgeRates(own, others, rateOf) {
  const ratios = own.flatMap((trial) => {
    const other = others.find(({ block }) => block === trial.block);
    const [rate, otherRate] = [rateOf(trial), other && rateOf(other)];
    return rate && otherRate ? [rate / otherRate] : [];
  });
  return judge(ratios);
}

/**
 * Computes the verdict on the time of some trials, as above: faster if it is shorter.
 * @template {{ block: number }} T @param {readonly T[]} own @param {readonly T[]} others
 * @param {(trial: T) => number | undefined} timeOf above 0, or absent
 */
export const judgeTimes = (own, others, timeOf) => judgeRates(others, own, timeOf);

/** @param {readonly string[]} transports @returns {string | undefined} the transport with which the others are compared */
export const findBaseline = (transports) => BASELINES.find((name) => transports.includes(name));

/**
 * Estimates the number of blocks with which the interval excludes 1, or fits into the margin.
 * @param {Interval} speedRatio @param {number} blockCount
 */
function neededBlocksOf({ estimate, low, high }, blockCount) {
  const distance = Math.abs(Math.log(estimate));
  const wantedReach = Math.max(distance, SAME_LOG - distance);
  const reach = Math.log(high / low) / 2;
  // The estimate is slightly too high, as the factor for few blocks is larger than that for many.
  return Math.max(blockCount + 1, Math.ceil(blockCount * (reach / wantedReach) ** 2));
}

/**
 * Says what the intervals of verdicts that stand together do not cover. The expected number of those that miss is the same,
 * whether the verdicts depend on each other or not.
 * @param {readonly { verdict?: VerdictName, confidence?: number }[]} comparisons
 * @returns {string | undefined} a sentence; absent for fewer than two verdicts
 */
export function describeChance(comparisons) {
  const judged = comparisons.filter(({ verdict }) => verdict !== undefined);
  if (judged.length < 2) return undefined;
  const count = sumOf(judged, ({ confidence = CONFIDENCE }) => 1 - confidence);
  return `Each of the ${judged.length} verdicts has its own CI: on average, ${Number(count.toPrecision(2))} of ${judged.length} such CIs miss the true value.`;
}

/**
 * @param {number} blocks of the plan
 * @returns {string | undefined} a sentence if they are too few for any verdict
 */
export const describeTooFewBlocks = (blocks) =>
  blocks < MIN_BLOCKS ? `No verdict yet: ${blocks} of ${MIN_BLOCKS} blocks.` : undefined;

/**
 * Says of a report that there is nothing to conclude, wherever it was measured.
 * @param {string | undefined} tooFew as above
 * @returns {{ conclusion?: string, elsewhere?: { headline: string }, wantedBlocks?: number }}
 */
export const concludeTooFew = (tooFew) =>
  tooFew ? { conclusion: tooFew, elsewhere: { headline: tooFew }, wantedBlocks: MIN_BLOCKS } : {};

/**
 * Warns before a run if its blocks are too few for a verdict.
 * @param {number} blocks of the plan @returns {string} to be added to a sentence
 */
export const warnOfFewBlocks = (blocks) =>
  blocks < MIN_BLOCKS ? ` A verdict needs ${MIN_BLOCKS} blocks; the plan has ${blocks}.` : '';
