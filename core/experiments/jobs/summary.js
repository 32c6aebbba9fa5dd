/**
 * Computes the figures of polling or push: a row for each delivery method, with baseline, closed form and published
 * figures.
 */
import { byFrequency } from '../../base/format.js';
import { meanInterval, mean, percentile, sumOf } from '../../base/statistics.js';
import { answerJudged, barsBetween } from '../../experiment/answer.js';
import { judge, verdictOf } from '../../experiment/compare.js';
import { labelOfDelivery } from '../../experiment/labels.js';
import { ruleOf } from '../../experiment/looks.js';
import { protocolsOf } from '../../experiment/trials.js';
import { deliveries, DELIVERY_BASELINES } from '../../net/delivery/index.js';
import { lagErrorOf, lagsIn, periodOf, predictTrial, roundTripOf, SERVER_STEP_MS } from './lag.js';
import { eachTrial, isSequential } from './plan.js';
import { nameBaseline } from './prediction.js';

/**
 * @import { Interval } from '../../base/statistics.js'
 * @import { Judged, Rule } from '../../experiment/compare.js'
 * @import { Compared } from '../../experiment/answer.js'
 * @import { Ending } from '../../experiment/contract.js'
 * @import { BeforeTrials, JobsTrial } from './schema.js'
 * @import { JobsPlan } from './plan.js'
 * @typedef {BeforeTrials & { plan: JobsPlan, trials: JobsTrial[], ending?: Ending, environment?: { stepMs?: number, userAgent?:
 *   string } }} Measured the input of the figures
 * @typedef {ReturnType<typeof summarize>[number]} JobsRow of one delivery method, all its trials together
 * @typedef {{ up: number, down: number, both: number }} Bytes
 */

/**
 * Computes the rows in the order of tables; none for trials that were not made. @param {Measured} measured @param {Rule} [rule]
 */
export function summarize(measured, rule = ruleOf(measured.plan)) {
  const { plan, trials: all, ending } = measured;
  const groups = eachTrial(plan)
    .map(({ delivery, intervalMs }) =>
      all.filter((trial) => trial.delivery === delivery && trial.intervalMs === intervalMs),
    )
    .filter(({ length }) => length > 0);
  const baseline = DELIVERY_BASELINES.map((name) => groups.find(([{ delivery }]) => delivery === name)).find(Boolean);
  const compared = ending ? undefined : baseline;
  const polling = ending ? undefined : groups.find(isPolling);
  return groups.map((trials) => ({
    ...summarizeTrials(trials, measured, rule),
    isBaseline: trials === baseline,
    comparison: compared && trials !== compared ? compareDeliveries(trials, compared, { measured, rule }) : undefined,
    besidePolling: polling && !isPolling(trials) ? findGain(trials, polling, { measured, rule }) : undefined,
  }));
}

/** @param {readonly JobsRow[]} rows @returns {Compared[]} of the baseline, a push, with every other method */
export function answersOf(rows) {
  const baseline = rows.find(({ isBaseline }) => isBaseline);
  return rows.flatMap(({ delivery, intervalMs, lag, comparison }) => {
    if (!comparison || !baseline) return [];
    const { latency, differenceInterval } = comparison;
    const what = { subject: baseline.delivery, baseline: nameBaseline({ delivery, intervalMs }) };
    const sides = /** @type {const} */ ([
      { name: delivery, value: lag.meanMs },
      { name: baseline.delivery, value: baseline.lag.meanMs },
    ]);
    const nameOf = (/** @type {string} */ name) => labelOfDelivery(name, name === delivery ? intervalMs : undefined);
    const bars = barsBetween(...sides, { prefix: 'delivery-', nameOf });
    return [{ ...answerJudged({ ...what, unit: 'sooner-ms', bars }, latency), ...differenceInterval }];
  });
}

/** @param {readonly JobsTrial[]} trials of one delivery method @param {Measured} measured @param {Rule} rule */
function summarizeTrials(trials, measured, rule) {
  const trial = mergeTrials(trials);
  const { delivery, intervalMs, protocol, notified, failures } = trial;
  const { plan, environment } = measured;
  const jobCount = trials.length * plan.users * plan.jobs;
  const others = failures.filter(({ outcome }) => outcome !== 'timeout');
  const pollCount = sumOf(notified.pollCount, Number);
  const predictions = trials.map((one) => predictTrial(one, measured));
  return {
    delivery,
    intervalMs,
    protocol,
    newsBytes: plan.newsBytes,
    jobCount,
    notifiedCount: notified.job.length,
    // These jobs are late: there was no notification within the limit.
    lateCount: failures.length - others.length,
    failureCount: others.length,
    failureReasons: byFrequency(others.map(({ message }) => message)),
    openCount: jobCount - notified.job.length - failures.length,
    lag: summarizeLags(trials, measured, rule),
    // A tenth of a millisecond is meaningless if lags may be off by 10 ms.
    lagDecimals: lagErrorOf(roundTripOf(measured) ?? 0, environment?.stepMs) < 10 ? 1 : 0,
    periodMs: delivery === 'poll' ? periodOf(notified) : undefined,
    pollsPerJob: pollCount === 0 ? undefined : pollCount / notified.job.length,
    requestsPerJob: requestsPerJobOf(trial, jobCount),
    ...bytesOf(trial, jobCount),
    ...cpuOf(trial, measured, jobCount),
    prediction: {
      pollsPerJob: mean(predictions.flatMap(({ pollsPerJob }) => pollsPerJob ?? [])),
      meanLagMs: mean(predictions.flatMap(({ meanLagMs }) => meanLagMs ?? [])),
    },
    published: publishedOf(trial, plan),
  };
}

/** @param {readonly JobsTrial[]} trials @returns {JobsTrial} as if they were one; its times are those of each trial */
function mergeTrials(trials) {
  const [first] = trials;
  const traffics = trials.flatMap(({ traffic }) => traffic ?? []);
  const requestCounts = trials.map(({ requestCount }) => requestCount);
  const notified = trials.map((trial) => trial.notified);
  return {
    ...first,
    protocol: protocolsOf(trials).join(', ') || undefined,
    notified: addColumns(notified, (lists) => lists.flat()),
    failures: trials.flatMap(({ failures }) => failures),
    requestCount: requestCounts.includes(undefined) ? undefined : sumOf(requestCounts, (count) => count),
    traffic: traffics.length === trials.length ? addColumns(traffics, (counts) => sumOf(counts, Number)) : undefined,
    trafficFault: trials.find(({ trafficFault }) => trafficFault)?.trafficFault,
  };
}

/** @template {object} T @param {readonly T[]} records @param {(values: any[]) => any} add @returns {T} */
function addColumns(records, add) {
  const names = /** @type {(keyof T)[]} */ (Object.keys(records[0]));
  return /** @type {T} */ (Object.fromEntries(names.map((name) => [name, add(records.map((record) => record[name]))])));
}

/**
 * Summarizes the lags; each figure is absent for too few jobs.
 * @param {readonly JobsTrial[]} trials @param {Measured} measured @param {Rule} rule
 */
function summarizeLags(trials, measured, { confidence }) {
  const byTrial = trials.map(({ notified }) => lagsIn(notified, measured));
  const lags = byTrial.flat().sort((a, b) => a - b);
  const means = byTrial.map(mean).filter((ms) => ms !== undefined);
  return {
    p50Ms: percentile(lags, 50),
    p90Ms: percentile(lags, 90),
    p95Ms: percentile(lags, 95),
    maxMs: lags.at(-1),
    meanMs: mean(means),
    // The interval is over the blocks; a single trial has one only by polling, over the jobs.
    interval: atLeast(
      Math.min(0, ...lags),
      meanInterval(trials.length === 1 && trials[0].delivery === 'poll' ? lags : means, confidence),
    ),
  };
}

/**
 * Ends an interval where no delay can be: below 0, or below the least that was measured, as the clocks are not exact.
 * @param {number} leastMs @param {Interval} [interval]
 */
const atLeast = (leastMs, interval) => interval && { ...interval, low: Math.max(leastMs, interval.low) };

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
 * @returns {{ beyondHalfPeriod?: Interval, blockCount: number }} the interval is absent in fewer blocks than a verdict needs
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
 * @param {readonly JobsTrial[]} trials @param {readonly JobsTrial[]} baseTrials @param {{ measured: Measured, rule: Rule }} run
 */
function compareDeliveries(trials, baseTrials, { measured, rule }) {
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

/** The reasons why the traffic of a trial is missing. */
const TRAFFIC_FAULTS = Object.freeze({
  unread: 'the server did not report its traffic',
  silent: 'a server process did not report its traffic',
  restarted: 'server processes started or stopped',
  open: 'connections stayed open',
});
/** The CPU use of the idle server is measured once, for a second or two; it may be off by this part. */
const UNSTEADY_RATIO = 0.5;
export const TOO_SMALL = 'too small to tell';

/**
 * Counts a WebSocket's messages, too; for other methods each is a request.
 * @param {JobsTrial} trial @param {number} jobCount
 */
function requestsPerJobOf(trial, jobCount) {
  const { protocol, requestCount, traffic, delivery, notified, failures } = trial;
  if (traffic && trafficFaultOf(trial) === undefined) {
    return (traffic.requestCount + (protocol === 'websocket' ? traffic.messageCount : 0)) / jobCount;
  }
  const isWhole = requestCount !== undefined && notified.job.length + failures.length === jobCount;
  return isWhole && deliveries[delivery].socketPer !== 'user' ? requestCount / jobCount : undefined;
}

/** Returns why the server's record is missing or wrong; absent if it is neither. @param {JobsTrial} trial */
function trafficFaultOf({ requestCount, traffic, trafficFault }) {
  if (!traffic) return trafficFault ? TRAFFIC_FAULTS[trafficFault] : 'the run ended first';
  const isWhole = requestCount === undefined || traffic.requestCount >= requestCount;
  return isWhole ? undefined : 'the server recorded fewer requests than were sent';
}

/** @param {JobsTrial} trial @param {number} jobCount @returns {{ bytesPerJob?: Bytes, bytesFault?: string }} */
function bytesOf(trial, jobCount) {
  const fault = trafficFaultOf(trial);
  if (fault || !trial.traffic) return { bytesFault: `not measured: ${fault}` };
  const up = trial.traffic.receivedBytes / jobCount;
  const down = trial.traffic.sentBytes / jobCount;
  return { bytesPerJob: { up, down, both: up + down } };
}

/**
 * Computes the CPU time of whole processes, less their idle use and that of the readings. Idle use varies: a difference
 * that is not above half of it may be chance.
 * @param {JobsTrial} trial @param {Measured} measured @param {number} jobCount
 * @returns {{ cpuMsPerJob?: number, cpuFault?: string }}
 */
function cpuOf(trial, { idle }, jobCount) {
  const { traffic } = trial;
  const fault = trafficFaultOf(trial);
  if (fault || !traffic) return { cpuFault: `not measured: ${fault}` };
  if (!idle || idle.elapsedMs === 0) return { cpuFault: 'not measured: the idle server did not report its traffic' };
  const otherCount = Math.abs(traffic.otherCount) || Math.abs(idle.otherCount);
  if (otherCount > 0)
    return { cpuFault: `not measured: ${otherCount} other ${otherCount === 1 ? 'request' : 'requests'}` };
  const ownMs = ((idle.cpuMs - idle.readingCpuMs) / idle.elapsedMs) * traffic.elapsedMs;
  const cpuMs = traffic.cpuMs - ownMs - traffic.readingCount * idle.readingCpuMs;
  return cpuMs <= 0 || cpuMs <= ownMs * UNSTEADY_RATIO ? { cpuFault: TOO_SMALL } : { cpuMsPerJob: cpuMs / jobCount };
}

/** The figures of 2018, both directions together, and the server's CPU for all jobs; polling with its interval. */
const PUBLISHED = new Map([
  ['poll 500', { kibPerJob: 1.62, cpuSeconds: 3.29 }],
  ['poll 250', { kibPerJob: 2.6, cpuSeconds: 13.8 }],
  ['socket-per-job', { kibPerJob: 0.28, cpuSeconds: 0.68 }],
]);
const PUBLISHED_JOB_COUNT = 200;

export const PUBLISHED_NOTES = Object.freeze([
  'The 2018 test ran 20 users with 10 jobs of 0–10 s each, one after the other. What its author calls push was a WebSocket per job.',
  'We read its bytes as an average per job: as a total, they would be too few for the requests. Its kB is 1,024 bytes: polling’s 1.62 kB is 951 + 703 bytes.',
  'For the CPU time of polling every 250 ms, the post prints both 13.8 s (used here) and 1,381,000,000 ns, 10 times less. We divide its CPU times by its 200 jobs.',
]);

/**
 * Returns the figures of 2018; absent if the jobs are not those of 2018: their durations set the number of polls, and
 * the number of open jobs sets what connections and CPU time they share.
 * @param {{ delivery: string, intervalMs?: number }} trial
 * @param {{ minMs: number, maxMs: number, arrangement?: JobsPlan['arrangement'] }} plan
 */
export function publishedOf({ delivery, intervalMs }, plan) {
  const published = PUBLISHED.get(intervalMs === undefined ? delivery : `${delivery} ${intervalMs}`);
  if (!published || plan.minMs !== 0 || plan.maxMs !== 10_000 || !isSequential(plan)) return undefined;
  return { bytesPerJob: 1024 * published.kibPerJob, cpuMsPerJob: (published.cpuSeconds * 1000) / PUBLISHED_JOB_COUNT };
}
