/**
 * Compares two transports by blocks, as the samples of a trial depend on each other, and formats the verdict. Each
 * block gives a difference and a ratio of the two medians; their intervals are Student's t.
 */
import { DASH, formatRange, formatRatio } from '../base/format.js';
import {
  mean,
  median,
  meanInterval,
  ratioInterval,
  isFineEnough,
  STEPS_PER_TRUSTED_TIME,
  sumOf,
  totalMs,
} from '../base/statistics.js';

/**
 * @import { Interval } from '../base/statistics.js'
 * @import { RunTrial } from '../net/echo/trial.js'
 * @typedef {keyof typeof VERDICT_LABELS} VerdictName
 * @typedef {{ ratio?: Interval, verdict?: VerdictName, neededBlocks?: number, blockCount?: number }} Judged `ratio`: absent below two
 *   blocks; `verdict`: below the rule's; `neededBlocks`: an estimate of the number needed, if it is unclear
 * @typedef {{ confidence: number, minBlocks: number }} Rule of intervals, and of the blocks that a verdict needs
 * @typedef {{ labels?: Readonly<Record<VerdictName, string>>, than?: string, isBrief?: boolean }} VerdictWords `than`: behind the
 *   label, such as ' than AJAX'; `isBrief`: without figures
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
/** The factor within which two transports are the same for most purposes. */
export const SAME_RATIO = 1.1;
export const SAME_PERCENT = Math.round((SAME_RATIO - 1) * 100);
const SAME_LOG = Math.log(SAME_RATIO);

export const VERDICT_LABELS = Object.freeze({
  same: `same within ${SAME_PERCENT}%`,
  faster: 'faster',
  slower: 'slower',
  'little-faster': 'a little faster',
  'little-slower': 'a little slower',
  unclear: 'no clear difference',
});
export const VERDICTS = /** @type {readonly VerdictName[]} */ (Object.keys(VERDICT_LABELS));

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
    savingMs: meanInterval(
      centres.map(([base, other]) => base - other),
      rule.confidence,
    ),
    speedRatio,
  };
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
 * Computes the verdict on a figure of some trials, compared with that of others block by block.
 * @template {{ block: number }} T @param {readonly T[]} own @param {readonly T[]} others
 * @param {(trial: T) => number | undefined} figureOf above 0, or absent
 */
export function judgeBlocks(own, others, figureOf) {
  const ratios = own.flatMap((trial) => {
    const other = others.find(({ block }) => block === trial.block);
    const [figure, otherFigure] = [figureOf(trial), other && figureOf(other)];
    return figure && otherFigure ? [figure / otherFigure] : [];
  });
  return judge(ratios);
}

/** @param {readonly string[]} transports @returns {string | undefined} the transport with which the others are compared */
export const findBaseline = (transports) => BASELINES.find((name) => transports.includes(name));

/**
 * Returns the verdict of an interval: beyond the margin, within it, or across its limit, on one side of 1 or on both. So a
 * wider interval around the same centre never turns a verdict into "faster" or "slower".
 * @param {{ low: number, high: number }} speedRatio @returns {VerdictName}
 */
export function verdictOf({ low, high }) {
  if (low > SAME_RATIO) return 'faster';
  if (high < 1 / SAME_RATIO) return 'slower';
  if (low > 1 / SAME_RATIO && high < SAME_RATIO) return 'same';
  if (low > 1) return 'little-faster';
  return high < 1 ? 'little-slower' : 'unclear';
}

/** Checks whether a ratio is within the margin. @param {number} ratio */
export const isSmall = (ratio) => ratio < SAME_RATIO && ratio > 1 / SAME_RATIO;

/**
 * Says a verdict, as in 'faster', or 'a little faster (at most 12%)': by the end of the interval that is farther from 1.
 * @param {Judged} judged with a verdict @param {VerdictWords} [words]
 */
export const nameVerdict = ({ verdict, ratio }, words) =>
  nameVerdicts(/** @type {VerdictName} */ (verdict), ratio ? [ratio] : [], words);

/**
 * Says the verdict that several have. What is a little faster, by an estimate beyond the margin, may be much faster.
 * @param {VerdictName} verdict @param {readonly Interval[]} ratios of each, or none for the bare label @param {VerdictWords} [words]
 */
export function nameVerdicts(verdict, ratios, { labels = VERDICT_LABELS, than = '', isBrief = false } = {}) {
  const label = `${labels[verdict]}${than}`;
  if (!isLittle({ verdict }) || ratios.length === 0) return label;
  if (!ratios.every(({ estimate }) => isSmall(estimate))) return `at least ${label}`;
  return isBrief ? label : `${label} (${describeMost(ratios)})`;
}

/** @param {readonly Interval[]} ratios @returns {string} as in 'at most 12%' */
export function describeMost(ratios) {
  const most = Math.max(...ratios.flatMap(({ low, high }) => [high, 1 / low]));
  return `at most ${Math.round(100 * (most - 1))}%`;
}

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

export const RATE_LABELS = Object.freeze({
  ...VERDICT_LABELS,
  faster: 'higher',
  slower: 'lower',
  'little-faster': 'a little higher',
  'little-slower': 'a little lower',
});

/**
 * Formats a verdict, as in 'faster: 2.0x (95% CI 1.5–2.7)'; a dash without one.
 * @param {Judged} [judged] @param {Readonly<Record<VerdictName, string>>} [labels]
 */
export function formatJudged(judged, labels = VERDICT_LABELS) {
  if (!judged?.verdict || !judged.ratio) return DASH;
  const { verdict, ratio } = judged;
  const factor = verdict !== 'unclear' && !isSmall(ratio.estimate) ? `: ${formatRatio(ratio)}` : '';
  return `${nameVerdict(judged, { labels, isBrief: true })}${factor} (95% CI ${formatRange(ratio)})`;
}

/** Checks whether one of the two is faster by more than the margin. @param {Judged} judged */
export const isBeyondMargin = ({ verdict }) => verdict === 'faster' || verdict === 'slower';

/** Checks whether one of the two is faster, perhaps by less than the margin. @param {Judged} judged */
export const isLittle = ({ verdict }) => verdict === 'little-faster' || verdict === 'little-slower';

/**
 * Describes several verdicts, as in 'SockJS is 2.0x as fast as AJAX (95% CI 1.5–2.7); fetch shows no clear difference
 * from AJAX'.
 * @param {readonly { name: string, judged: Judged }[]} factors
 * @param {{ verb: string, what: string, more: string, less: string, baseline?: string }} words before a factor, and after it,
 *   such as 'as fast'; `more`, `less`: without one, such as 'faster'; `baseline`: absent if each is compared with itself
 */
export function describeFactors(factors, { verb, what, more, less, baseline }) {
  const clear = factors.flatMap(({ name, judged }) =>
    judged.ratio && isBeyondMargin(judged) ? { name, ratio: judged.ratio } : [],
  );
  const figures = clear.map(({ name, ratio }) => `${name} ${verb} ${formatRatio(ratio)}`);
  const ci = clear.length === 1 ? ` (95% CI ${formatRange(clear[0].ratio)})` : '';
  const namesOf = (/** @type {VerdictName | undefined} */ verdict) =>
    factors.filter(({ judged }) => judged.verdict === verdict).map(({ name }) => name);
  const labels = { ...VERDICT_LABELS, 'little-faster': `a little ${more}`, 'little-slower': `a little ${less}` };
  const [than, as] = baseline ? [` than ${baseline}`, ` as ${baseline}`] : ['', ''];
  const little = factors
    .filter(({ judged }) => isLittle(judged))
    .map(({ name, judged }) => `${name} ${verb} ${nameVerdict(judged, { labels, than })}`);
  const others = /** @type {const} */ (['same', 'unclear']).flatMap((verdict) => {
    const names = namesOf(verdict);
    return names.length > 0 ? [describeAlike(names, verdict, { verb, what, baseline })] : [];
  });
  const unjudged = namesOf(undefined);
  return [
    ...(figures.length > 0 ? [`${listOf(figures)} ${what}${as}${ci}`] : []),
    ...little,
    ...others,
    ...(unjudged.length > 0 ? [`there is not enough data for ${listOf(unjudged)}`] : []),
  ].join('; ');
}

/**
 * @param {readonly string[]} names @param {'same' | 'unclear'} verdict on all
 * @param {{ verb: string, what: string, baseline?: string }} words
 */
function describeAlike(names, verdict, { verb, what, baseline }) {
  const [is, shows] = names.length === 1 ? ['is', 'shows'] : ['are', 'show'];
  if (verdict === 'unclear')
    return `${listOf(names)} ${shows} no clear difference${baseline ? ` from ${baseline}` : ''}`;
  if (baseline) return `${listOf(names)} ${is} the same as ${baseline} within ${SAME_PERCENT}%`;
  // Each is the same as itself, not as the others.
  return names.map((name) => `${name} ${verb} ${what}, within ${SAME_PERCENT}%`).join('; ');
}

/** @param {number} blocks of the plan @returns {string | undefined} a sentence if they are too few for any verdict */
export function describeTooFewBlocks(blocks) {
  return blocks < MIN_BLOCKS
    ? `no verdict, because it needs ${MIN_BLOCKS} blocks and this run has ${blocks}`
    : undefined;
}

/**
 * Warns before a run if its blocks are too few for a verdict.
 * @param {number} blocks of the plan @returns {string} to be added to a sentence
 */
export const warnOfFewBlocks = (blocks) => (blocks < MIN_BLOCKS ? ` A verdict needs ${MIN_BLOCKS} blocks.` : '');

/**
 * @param {readonly string[]} names at least one @param {string} [separator]
 * @returns {string} like 'AJAX, fetch and SockJS'
 */
export function listOf(names, separator = ', ') {
  const last = names[names.length - 1];
  return names.length > 1 ? `${names.slice(0, -1).join(separator)} and ${last}` : last;
}
