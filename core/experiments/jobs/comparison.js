/** Compares delivery methods block by block: with the baseline, a push, and with polling. */
import { meanInterval, mean } from '../../base/statistics.js';
import { judge } from '../../experiment/answer/compare.js';
import { verdictOf } from '../../experiment/answer/verdict.js';
import { lagsIn, periodOf, SERVER_STEP_MS } from './lag.js';
import { bytesOf, requestsPerJobOf } from './traffic.js';

/**
 * @import { Interval } from '../../base/statistics.js'
 * @import { Rule } from '../../experiment/answer/compare.js'
 * @import { Judged } from '../../experiment/answer/verdict.js'
 * @import { JobsTrial } from './schema.js'
 * @import { Measured } from './summary.js'
 * @typedef {{ beyondHalfPeriod?: Interval, blockCount: number }} Gain beside polling, ms; absent in fewer blocks than a verdict needs
 * @typedef {object} DeliveryComparison of a method with the baseline, block by block
 * @property {Judged} latency
 * @property {Judged} bytes
 * @property {Judged} requests
 * @property {number} [differenceMs]
 * @property {Interval} [differenceInterval]
 */

/** @param {readonly JobsTrial[]} trials of one delivery method */
export const isPolling = ([{ delivery }]) => delivery === 'poll';

/** @param {readonly JobsTrial[]} trials @param {readonly JobsTrial[]} others */
const pairBlocks = (trials, others) =>
  trials.flatMap((trial) => {
    const other = others.find(({ block }) => block === trial.block);
    return other ? [/** @type {const} */ ([trial, other])] : [];
  });

/**
 * Returns each block's two figures, where both are known.
 * @param {readonly (readonly JobsTrial[])[]} pairs @param {(trial: JobsTrial) => number | undefined} figureOf
 */
const figuresIn = (pairs, figureOf) =>
  pairs.map((pair) => pair.map(figureOf)).filter((figures) => figures.every((figure) => figure !== undefined));

/**
 * How much sooner a method is than polling, beyond half a poll period of the same block.
 * @param {readonly JobsTrial[]} trials @param {readonly JobsTrial[]} polling @param {{ measured: Measured, rule: Rule }} run
 * @returns {Gain}
 */
export function findGain(trials, polling, { measured, rule: { confidence, minBlocks } }) {
  const beyond = figuresIn(pairBlocks(polling, trials), (trial) => {
    const lagMs = mean(lagsIn(trial.notified, measured));
    const periodMs = isPolling([trial]) ? periodOf(trial.notified) : 0;
    return lagMs === undefined || periodMs === undefined ? undefined : lagMs - periodMs / 2;
  });
  const blockCount = beyond.length;
  if (blockCount < minBlocks) return { blockCount };
  return {
    beyondHalfPeriod: meanInterval(
      beyond.map(([poll, own]) => poll - own),
      confidence,
    ),
    blockCount,
  };
}

/**
 * @param {readonly JobsTrial[]} trials @param {readonly JobsTrial[]} baseTrials @param {{ measured: Measured, rule: Rule }} run
 * @returns {DeliveryComparison}
 */
export function compareDeliveries(trials, baseTrials, { measured, rule }) {
  const { plan, environment } = measured;
  const pairs = pairBlocks(trials, baseTrials);
  /** @param {(trial: JobsTrial) => number | undefined} figureOf */
  const figuresOf = (figureOf) => figuresIn(pairs, figureOf);
  /** Judges the multiple of the baseline. @param {number[][]} figures */
  const judgeFigures = (figures) =>
    judge(
      figures.map(([own, base]) => own / base),
      rule,
    );
  const jobCount = plan.users * plan.jobs;
  // Latencies below the clocks' steps cannot be distinguished.
  const minMs = SERVER_STEP_MS + (environment?.stepMs ?? 0);
  const latencies = figuresOf(({ notified }) => mean(lagsIn(notified, measured))).map((pair) =>
    pair.map((ms) => Math.max(ms, minMs)),
  );
  const differences = latencies.map(([own, base]) => own - base);
  return {
    latency: judgeDifferences(latencies, rule),
    bytes: judgeFigures(figuresOf((trial) => bytesOf(trial, jobCount).bytesPerJob?.both)),
    requests: judgeFigures(figuresOf((trial) => requestsPerJobOf(trial, jobCount))),
    differenceMs: mean(differences),
    differenceInterval: meanInterval(differences, rule.confidence) ?? intervalOverJobs(pairs, measured),
  };
}

/**
 * Judges the difference by the interval that is shown beside it: a ratio can be clear where one block of many makes the
 * difference unclear.
 * @param {readonly number[][]} latencies of each block, ms: its own and the baseline's @param {Rule} rule
 * @returns {Judged} of the baseline, by the multiple of its mean that the interval is
 */
function judgeDifferences(latencies, { confidence, minBlocks }) {
  const interval = meanInterval(
    latencies.map(([own, base]) => own - base),
    confidence,
  );
  const baseMs = Number(mean(latencies.map(([, base]) => base)));
  const timesOf = (/** @type {number} */ ms) => 1 + ms / baseMs;
  const ratio = interval && {
    estimate: timesOf(interval.estimate),
    low: timesOf(interval.low),
    high: timesOf(interval.high),
  };
  const verdict = ratio && latencies.length >= minBlocks ? verdictOf(ratio) : undefined;
  return { ratio, verdict, blockCount: latencies.length };
}

/**
 * Computes the interval of a single trial by polling: a job takes as long in every trial, so its two latencies are
 * paired. By the other methods a stall delays all jobs that wait.
 * @param {readonly (readonly [JobsTrial, JobsTrial])[]} pairs @param {Measured} measured
 */
function intervalOverJobs(pairs, measured) {
  if (pairs.length !== 1 || pairs[0][0].delivery !== 'poll') return undefined;
  const [{ notified }, { notified: baseNotified }] = pairs[0];
  const baseLags = new Map(lagsIn(baseNotified, measured).map((ms, i) => [baseNotified.job[i], ms]));
  const differences = lagsIn(notified, measured).map((ms, i) => ms - (baseLags.get(notified.job[i]) ?? NaN));
  return meanInterval(differences.filter((ms) => !Number.isNaN(ms)));
}
