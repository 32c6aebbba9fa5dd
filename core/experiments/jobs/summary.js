/**
 * Computes the figures of polling or push: a row for each delivery method, and how it compares with others, block by block.
 */
import { meanInterval, mean } from '../../base/statistics.js';
import { answerJudged } from '../../experiment/answer/answer.js';
import { barsBetween } from '../../experiment/answer/answer-card.js';
import { judge } from '../../experiment/answer/compare.js';
import { labelOfDelivery } from '../../experiment/answer/labels.js';
import { ruleOf } from '../../experiment/plan/blocks.js';
import { verdictOf } from '../../experiment/answer/verdict.js';
import { DELIVERY_SUBJECTS } from '../../net/delivery/index.js';
import { figuresOf } from './figures.js';
import { lagsIn, periodOf, SERVER_STEP_MS } from './lag.js';
import { eachTrial } from './plan.js';
import { bytesOf, requestsPerJobOf } from './traffic.js';

/**
 * @import { Interval } from '../../base/statistics.js'
 * @import { Rule } from '../../experiment/answer/compare.js'
 * @import { Compared, OwnAnswer } from '../../experiment/answer/answer.js'
 * @import { Ending } from '../../experiment/contract.js'
 * @import { Judged } from '../../experiment/answer/verdict.js'
 * @import { OwnRow } from './figures.js'
 * @import { BeforeTrials, JobsTrial } from './schema.js'
 * @import { JobsPlan } from './plan.js'
 * @typedef {BeforeTrials & { plan: JobsPlan, trials: JobsTrial[], ending?: Ending, environment?: { stepMs?: number, userAgent?:
 *   string } }} Measured the input of the figures
 * @typedef {{ beyondHalfPeriod?: Interval, blockCount: number }} Gain beside polling, ms; absent in fewer blocks than a verdict needs
 * @typedef {object} DeliveryComparison of a method with another, block by block: that is judged
 * @property {Judged} latency
 * @property {Judged} bytes
 * @property {Judged} requests
 * @property {number} [differenceMs]
 * @property {Interval} [differenceInterval]
 * @typedef {object} WithOthers what comparing a method with others says
 * @property {boolean} isSubject is it the push that answers are about?
 * @property {DeliveryComparison} [comparison] with that
 * @property {boolean} isBaseline does the table compare all others with it? It is polling, as in answers; without that, the subject
 * @property {DeliveryComparison} [besideBaseline] of the baseline with it
 * @property {Gain} [besidePolling]
 * @typedef {OwnRow & WithOthers} JobsRow
 */

/**
 * Computes the rows in the order of tables; none for trials that were not made.
 * @param {Measured} measured @param {Rule} [rule] @returns {JobsRow[]}
 */
export function summarize(measured, rule = ruleOf(measured.plan)) {
  const { plan, trials: all, ending } = measured;
  const groups = eachTrial(plan)
    .map(({ delivery, intervalMs }) =>
      all.filter((trial) => trial.delivery === delivery && trial.intervalMs === intervalMs),
    )
    .filter(({ length }) => length > 0);
  const subject = DELIVERY_SUBJECTS.map((name) => groups.find(([{ delivery }]) => delivery === name)).find(Boolean);
  const polling = ending ? undefined : groups.find(isPolling);
  const baseline = polling ?? subject;
  const compare = (/** @type {JobsTrial[]} */ trials, /** @type {JobsTrial[] | undefined} */ others) =>
    !ending && others && trials !== others ? compareDeliveries(trials, others, { measured, rule }) : undefined;
  return groups.map((trials) => ({
    ...figuresOf(trials, measured, rule),
    isSubject: trials === subject,
    comparison: compare(trials, subject),
    isBaseline: trials === baseline,
    besideBaseline: baseline && compare(baseline, trials),
    besidePolling: polling && !isPolling(trials) ? findGain(trials, polling, { measured, rule }) : undefined,
  }));
}

/** Names a method that push is compared with. @param {{ delivery: string, intervalMs?: number }} row */
export const nameBaseline = ({ delivery, intervalMs }) => [delivery, intervalMs].filter(Boolean).join(' ');

/** @param {readonly JobsRow[]} rows @returns {(OwnAnswer & Compared)[]} of a push with every other method */
export function answersOf(rows) {
  const subject = rows.find(({ isSubject }) => isSubject);
  return rows.flatMap(({ delivery, intervalMs, lag, comparison }) => {
    if (!comparison || !subject) return [];
    const { latency, differenceInterval } = comparison;
    const what = { subject: subject.delivery, baseline: nameBaseline({ delivery, intervalMs }) };
    const sides = /** @type {const} */ ([
      { name: delivery, value: lag.meanMs },
      { name: subject.delivery, value: subject.lag.meanMs },
    ]);
    const nameOf = (/** @type {string} */ name) => labelOfDelivery(name, name === delivery ? intervalMs : undefined);
    const bars = barsBetween(...sides, { prefix: 'delivery-', nameOf });
    return [{ ...answerJudged({ ...what, unit: 'sooner-ms', bars }, latency), ...differenceInterval }];
  });
}

/** @param {readonly JobsTrial[]} trials of one delivery method */
const isPolling = ([{ delivery }]) => delivery === 'poll';

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
function findGain(trials, polling, { measured, rule: { confidence, minBlocks } }) {
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
 * @param {readonly JobsTrial[]} trials @param {readonly JobsTrial[]} others which are judged, compared with these @param {{ measured: Measured, rule: Rule }} run
 * @returns {DeliveryComparison}
 */
function compareDeliveries(trials, others, { measured, rule }) {
  const { plan, environment } = measured;
  const pairs = pairBlocks(trials, others);
  /** @param {(trial: JobsTrial) => number | undefined} figureOf */
  const bothOf = (figureOf) => figuresIn(pairs, figureOf);
  /** Judges the others, by the multiple of theirs. @param {number[][]} figures */
  const judgeFigures = (figures) =>
    judge(
      figures.map(([own, other]) => own / other),
      rule,
    );
  const jobCount = plan.users * plan.jobs;
  // Latencies below the clocks' steps cannot be distinguished.
  const minMs = SERVER_STEP_MS + (environment?.stepMs ?? 0);
  const latencies = bothOf(({ notified }) => mean(lagsIn(notified, measured))).map((pair) =>
    pair.map((ms) => Math.max(ms, minMs)),
  );
  const differences = latencies.map(([own, other]) => own - other);
  const interval = meanInterval(differences, rule.confidence);
  return {
    latency: judgeDifferences(interval, latencies, rule),
    bytes: judgeFigures(bothOf((trial) => bytesOf(trial, jobCount).bytesPerJob?.both)),
    requests: judgeFigures(bothOf((trial) => requestsPerJobOf(trial, jobCount))),
    differenceMs: mean(differences),
    differenceInterval: interval ?? intervalOverJobs(pairs, measured),
  };
}

/**
 * Judges the difference by the interval that is shown beside it: a ratio can be clear where one block of many makes the
 * difference unclear.
 * @param {Interval | undefined} interval of the differences @param {readonly number[][]} latencies of each block, ms: its own and the
 *   other's @param {Rule} rule
 * @returns {Judged} of the other, by the multiple of its mean that the interval is
 */
function judgeDifferences(interval, latencies, { minBlocks }) {
  const otherMs = Number(mean(latencies.map(([, other]) => other)));
  const timesOf = (/** @type {number} */ ms) => 1 + ms / otherMs;
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
  const [{ notified }, { notified: otherNotified }] = pairs[0];
  const otherLags = new Map(lagsIn(otherNotified, measured).map((ms, i) => [otherNotified.job[i], ms]));
  const differences = lagsIn(notified, measured).map((ms, i) => ms - (otherLags.get(notified.job[i]) ?? NaN));
  return meanInterval(differences.filter((ms) => !Number.isNaN(ms)));
}
