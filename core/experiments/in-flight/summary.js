/** What trials with messages in flight come to: rates, and how they grow with the concurrency. */
import { quantile, sort, sumOf } from '../../base/statistics/values.js';
import { ratioInterval } from '../../base/statistics/intervals.js';
import { protocolsOf } from '../../experiment/trials.js';
import { BASELINES, judge } from '../../experiment/compare.js';

/**
 * @import { Judged } from '../../experiment/compare.js'
 * @import { DepthPlan, DepthTrial } from './index.js'
 * @typedef {{ transport: string, depth: number }} Which of the rows
 * @typedef {ReturnType<typeof summarizeDepth>} DepthRow one transport at one depth
 * @typedef {{ isBaseline: boolean, single: DepthRow, deepest: DepthRow, speedUp?: Judged }} TransportRow one transport,
 *   from one message in flight to the deepest of the plan, the same row where that has one depth; `speedUp`: the rate
 *   at that depth beside the baseline's; absent for the baseline, and without one
 * @typedef {ReturnType<typeof summarize>} DepthSummary
 */

/**
 * @param {{ plan: Pick<DepthPlan, 'transports' | 'depths'>, trials: readonly DepthTrial[] }} document
 * @returns {{ rows: DepthRow[], transports: TransportRow[] }} rows by transport, then by depth
 */
export function summarize({ plan: { transports, depths }, trials }) {
  const depth = Math.max(...depths);
  const baseline = BASELINES.find((name) => transports.includes(name));
  const groups = transports.map((transport) =>
    depths.map((each) => summarizeDepth(trials, { transport, depth: each })),
  );
  return {
    rows: groups.flat(),
    transports: groups.map((rows, i) => {
      const transport = transports[i];
      const [single, deepest] = [1, depth].map(
        (each) => /** @type {DepthRow} */ (rows.find((row) => row.depth === each)),
      );
      const isBaseline = transport === baseline;
      if (!baseline || isBaseline) return { isBaseline, single, deepest };
      const speedUp = judgeRates(trials, { transport, depth }, { transport: baseline, depth });
      return { isBaseline, single, deepest, speedUp };
    }),
  };
}

/** @param {readonly DepthTrial[]} trials @param {Which} which */
function summarizeDepth(trials, which) {
  const own = trials.filter((trial) => isOf(trial, which));
  const rates = own.flatMap((trial) => rateOf(trial) ?? []);
  const roundTripMs = sort(own.flatMap((trial) => trial.roundTripMs));
  return {
    ...which,
    protocols: protocolsOf(own),
    /** Geometric mean over the blocks; absent below two. */
    messagesPerSecond: ratioInterval(rates),
    p50Ms: quantile(roundTripMs, 0.5),
    sampleCount: roundTripMs.length,
    failureCount: sumOf(own, ({ failures }) => failures.length),
    /** With a rate. */
    blockCount: rates.length,
    /** How many times the rate of one message in flight, block by block; nothing for that one. */
    gain: which.depth === 1 ? {} : judgeRates(trials, which, { ...which, depth: 1 }),
  };
}

/**
 * @param {readonly DepthTrial[]} trials @param {Which} which its rate is set beside that of the other
 * @param {Which} other @returns {Judged} over the blocks in which both have a rate
 */
function judgeRates(trials, which, other) {
  const ratios = trials.flatMap((trial) => {
    if (!isOf(trial, which)) return [];
    const beside = trials.find((one) => one.block === trial.block && isOf(one, other));
    const [rate, otherRate] = [rateOf(trial), beside && rateOf(beside)];
    return rate && otherRate ? [rate / otherRate] : [];
  });
  return judge(ratios);
}

/** @param {DepthTrial} trial @param {Which} which */
const isOf = (trial, { transport, depth }) => trial.transport === transport && trial.depth === depth;

/**
 * From the first message sent to the last answer.
 * @param {DepthTrial} trial
 * @returns {number | undefined} messages per second; absent where it did not finish, or the clock did not move
 */
function rateOf({ endedAtMs, iterations }) {
  const elapsedMs = endedAtMs[iterations - 1];
  return elapsedMs > 0 ? (iterations / elapsedMs) * 1000 : undefined;
}
