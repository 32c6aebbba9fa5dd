/**
 * Computes the figures of polling or push: a row for each delivery method, how it compares with others, block by block, and how much
 * sooner than polling that makes it for a page.
 */
import { byFrequency } from '../../base/format.js';
import { meanInterval, mean, sumOf } from '../../base/statistics.js';
import { judge } from '../../experiment/answer/compare.js';
import { verdictOf } from '../../experiment/answer/verdict.js';
import { ruleOf } from '../../experiment/plan/blocks.js';
import { protocolsOf } from '../../experiment/run/trials.js';
import { DELIVERY_SUBJECTS } from '../../net/delivery/index.js';
import { moreBytesOf, periodMsOf } from '../../net/delivery/model.js';
import { figuresOf } from './figures.js';
import { eachTrial } from './plan.js';
import { bytesOf, lagsIn, periodOf, requestsPerJobOf, SERVER_STEP_MS } from './trial.js';

/**
 * @import { Interval } from '../../base/statistics.js'
 * @import { Rule } from '../../experiment/answer/compare.js'
 * @import { Ending } from '../../experiment/contract.js'
 * @import { Judged } from '../../experiment/answer/verdict.js'
 * @import { Page } from '../../net/delivery/model.js'
 * @import { PageFigures } from './figures.js'
 * @import { JobsPlan } from './plan.js'
 * @import { BeforeTrials, JobsTrial } from './schema.js'
 * @import { Bytes } from './trial.js'
 * @typedef {BeforeTrials & { plan: JobsPlan, trials: JobsTrial[], ending?: Ending, environment?: { stepMs?: number, userAgent?:
 *   string } }} Measured the input of the figures
 * @typedef {{ beyondHalfPeriod?: Interval, blockCount: number }} Gain beside polling, ms; absent in fewer blocks than a verdict needs
 * @typedef {object} Counts of one delivery method, all its trials together
 * @property {string} delivery
 * @property {number} [intervalMs]
 * @property {string} [protocol]
 * @property {number} [newsBytes]
 * @property {number} jobCount
 * @property {number} notifiedCount
 * @property {number} lateCount there was no notification within the limit
 * @property {number} failureCount
 * @property {[string, number][]} failureReasons the most frequent first
 * @property {number} openCount
 * @property {number} [requestsPerJob]
 * @property {Bytes} [bytesPerJob]
 * @property {string} [bytesFault] why they are absent
 * @typedef {object} DeliveryComparison of a method with another, block by block: that is judged
 * @property {Judged} latency
 * @property {Judged} bytes
 * @property {Judged} requests
 * @property {number} [differenceMs]
 * @property {Interval} [differenceInterval]
 * @property {number} [pairedJobCount] of jobs that it is over, if there is only one block
 * @typedef {object} WithOthers what comparing a method with others says
 * @property {boolean} isSubject is it the push that answers are about?
 * @property {DeliveryComparison} [comparison] with that
 * @property {boolean} isBaseline does the table compare all others with it? It is polling, as in answers; without that, the subject
 * @property {DeliveryComparison} [besideBaseline] of the baseline with it
 * @property {Gain} [besidePolling]
 * @typedef {Counts & PageFigures & WithOthers} JobsRow
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
  return groups.map((trials) => {
    const merged = mergeTrials(trials);
    const jobCount = trials.length * plan.users * plan.jobs;
    return {
      ...countsOf(merged, jobCount, plan),
      ...figuresOf({ trials, merged, jobCount }, measured, rule),
      isSubject: trials === subject,
      comparison: compare(trials, subject),
      isBaseline: trials === baseline,
      besideBaseline: baseline && compare(baseline, trials),
      besidePolling: polling && !isPolling(trials) ? findGain(trials, polling, { measured, rule }) : undefined,
    };
  });
}

/** @param {JobsTrial} merged @param {number} jobCount @param {JobsPlan} plan @returns {Counts} */
function countsOf(merged, jobCount, { newsBytes }) {
  const { delivery, intervalMs, protocol, notified, failures } = merged;
  const others = failures.filter(({ outcome }) => outcome !== 'timeout');
  return {
    delivery,
    intervalMs,
    protocol,
    newsBytes,
    jobCount,
    notifiedCount: notified.job.length,
    lateCount: failures.length - others.length,
    failureCount: others.length,
    failureReasons: byFrequency(others.map(({ message }) => message)),
    openCount: jobCount - notified.job.length - failures.length,
    requestsPerJob: requestsPerJobOf(merged, jobCount),
    ...bytesOf(merged, jobCount),
  };
}

/** @param {readonly JobsTrial[]} trials @returns {JobsTrial} as if they were one; its times are those of each trial */
function mergeTrials(trials) {
  const traffics = trials.flatMap(({ traffic }) => traffic ?? []);
  const requestCounts = trials.map(({ requestCount }) => requestCount);
  return {
    ...trials[0],
    protocol: protocolsOf(trials).join(', ') || undefined,
    notified: addColumns(
      trials.map(({ notified }) => notified),
      (lists) => lists.flat(),
    ),
    failures: trials.flatMap(({ failures }) => failures),
    requestCount: requestCounts.includes(undefined) ? undefined : sumOf(requestCounts, Number),
    traffic: traffics.length === trials.length ? addColumns(traffics, (counts) => sumOf(counts, Number)) : undefined,
    trafficFault: trials.find(({ trafficFault }) => trafficFault)?.trafficFault,
  };
}

/** @template {object} T @param {readonly T[]} records @param {(values: any[]) => any} add @returns {T} */
function addColumns(records, add) {
  const names = /** @type {(keyof T)[]} */ (Object.keys(records[0]));
  return /** @type {T} */ (Object.fromEntries(names.map((name) => [name, add(records.map((record) => record[name]))])));
}

/** @param {JobsRow} poll @returns {number | undefined} the bytes of a request and its answer, without what only news has */
export const requestBytesOf = ({ bytesPerJob, requestsPerJob, newsBytes }) =>
  bytesPerJob && requestsPerJob ? (bytesPerJob.both - moreBytesOf({ newsBytes })) / requestsPerJob : undefined;

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
 * Predicts how much sooner push is than polling: half a period and the rest of the measured difference, at most half a period, which is
 * all the delay that polling adds. What was measured beyond that is an error: the estimate moves to the limit, and the lower half of
 * its interval with it, which so never shrinks to a point there.
 * @param {{ besidePolling?: JobsRow['besidePolling'] }} push @param {Page} page
 * @returns {Interval | undefined} ms sooner than polling; absent if it was not compared in enough blocks
 */
export function predictGain({ besidePolling }, page) {
  const beyond = besidePolling?.beyondHalfPeriod;
  if (!beyond) return undefined;
  const mostMs = periodMsOf(page) / 2;
  return {
    estimate: mostMs + Math.min(0, beyond.estimate),
    low: mostMs + beyond.low - Math.max(0, beyond.estimate),
    high: mostMs + Math.min(0, beyond.high),
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
    ...(interval ? { differenceInterval: interval } : intervalOverJobs(pairs, measured)),
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
 * @returns {Pick<DeliveryComparison, 'differenceInterval' | 'pairedJobCount'>} empty if there is none
 */
function intervalOverJobs(pairs, measured) {
  if (pairs.length !== 1 || pairs[0][0].delivery !== 'poll') return {};
  const [{ notified }, { notified: otherNotified }] = pairs[0];
  const otherLags = new Map(lagsIn(otherNotified, measured).map((ms, i) => [otherNotified.job[i], ms]));
  const differences = lagsIn(notified, measured)
    .map((ms, i) => ms - (otherLags.get(notified.job[i]) ?? NaN))
    .filter((ms) => !Number.isNaN(ms));
  return { differenceInterval: meanInterval(differences), pairedJobCount: differences.length };
}
