/** A delivery method compared with the baseline: over the blocks, or over the jobs where there is one block. */
import { meanInterval, ratioInterval } from '../../base/statistics/intervals.js';
import { mean } from '../../base/statistics/values.js';
import { MIN_BLOCKS, wordOf } from '../../experiment/compare.js';
import { bytesOf, requestsPerJobOf } from './cost.js';
import { lagsIn, SERVER_STEP_MS } from './lag.js';

/**
 * @import { Interval } from '../../base/statistics/intervals.js'
 * @import { JobsTrial } from './measure.js'
 * @import { Measured } from './summary.js'
 */

/**
 * @typedef {object} Factor how many times the baseline's figure this one is
 * @property {Interval} ratio
 * @property {ReturnType<typeof wordOf>} [verdict] of the baseline: is it faster, or does it need less? Absent below
 *   {@link MIN_BLOCKS}
 *
 * @typedef {object} DeliveryComparison each absent where it was not measured
 * @property {Factor} [latency]
 * @property {Factor} [bytes]
 * @property {Factor} [requests]
 * @property {number} [differenceMs] of the mean latencies
 * @property {Interval} [differenceInterval] absent for one trial without polling: a stall delays all jobs that wait, so the
 *   jobs of one trial are not independent. (Those of polling are, as their durations are.)
 */

/**
 * @param {readonly JobsTrial[]} trials
 * @param {readonly JobsTrial[]} baseTrials
 * @param {Measured} measured
 * @returns {DeliveryComparison}
 */
export function compareDeliveries(trials, baseTrials, measured) {
  const { plan, environment } = measured;
  const pairs = trials.flatMap((trial) => {
    const base = baseTrials.find(({ block }) => block === trial.block);
    return base ? [/** @type {const} */ ([trial, base])] : [];
  });
  /** @param {(trial: JobsTrial) => number | undefined} figureOf */
  const figuresOf = (figureOf) =>
    pairs.flatMap(([trial, base]) => {
      const [own, other] = [figureOf(trial), figureOf(base)];
      return own === undefined || other === undefined ? [] : [/** @type {const} */ ([own, other])];
    });
  const jobCount = plan.users * plan.jobs;
  const latencies = figuresOf(({ told }) => mean(lagsIn(told, measured)));
  const differences = latencies.map(([own, base]) => own - base);
  return {
    // What is shorter than the clocks' steps cannot be told apart.
    latency: factorOf(latencies, SERVER_STEP_MS + (environment?.stepMs ?? 0)),
    bytes: factorOf(figuresOf((trial) => bytesOf(trial, jobCount).bytesPerJob?.both)),
    requests: factorOf(figuresOf((trial) => requestsPerJobOf(trial, jobCount))),
    differenceMs: mean(differences),
    differenceInterval: meanInterval(differences) ?? intervalOverJobs(pairs, measured),
  };
}

/** @param {readonly (readonly [own: number, base: number])[]} figures by block @param {number} [min] smaller ones count as this */
function factorOf(figures, min = 0) {
  const ratio = ratioInterval(figures.map(([own, base]) => Math.max(own, min) / Math.max(base, min)));
  return ratio && { ratio, verdict: figures.length >= MIN_BLOCKS ? wordOf(ratio) : undefined };
}

/**
 * A job takes as long in every trial of a block, so its two latencies belong together.
 * @param {readonly (readonly [JobsTrial, JobsTrial])[]} pairs @param {Measured} measured
 */
function intervalOverJobs(pairs, measured) {
  if (pairs.length !== 1 || pairs[0][0].way !== 'poll') return undefined;
  const [latencies, baseLatencies] = pairs[0].map(({ told }) => {
    const lags = lagsIn(told, measured);
    return new Map(told.job.map((job, i) => [job, lags[i]]));
  });
  return meanInterval(
    [...latencies].flatMap(([job, ms]) => {
      const baseMs = baseLatencies.get(job);
      return baseMs === undefined ? [] : [ms - baseMs];
    }),
  );
}
