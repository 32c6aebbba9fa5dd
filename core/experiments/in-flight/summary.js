/** What trials with messages in flight come to: rates, and how they grow with the concurrency. */
import { quantile, sort } from '../../base/statistics/quantile.js';
import { ratioInterval } from '../../base/statistics/ratio-interval.js';
import { sumOf } from '../../base/statistics/sum.js';
import { protocolsOf } from '../../experiment/trials.js';
import { BASELINES, judge } from '../../experiment/compare.js';

/**
 * @import { Interval } from '../../base/statistics/mean-interval.js'
 * @import { Judged } from '../../experiment/compare.js'
 * @import { DepthTrial } from './measure.js'
 * @import { DepthPlan } from './plan.js'
 */

/**
 * @typedef {object} DepthRow one transport at one depth
 * @property {string} transport
 * @property {string[]} protocols
 * @property {number} depth
 * @property {Interval} [messagesPerSecond] geometric mean over the blocks; absent below two
 * @property {number} [p50Ms] of the round trips
 * @property {number} sampleCount
 * @property {number} failureCount
 * @property {number} blockCount with a rate
 * @property {Judged} gain how many times the rate of one message in flight, block by block; nothing for that one
 *
 * @typedef {object} TransportRow one transport, from one message in flight to the deepest of the plan
 * @property {boolean} isBaseline
 * @property {DepthRow} single
 * @property {DepthRow} deepest the same row where the plan has one depth
 * @property {Judged} [speedUp] the rate at that depth beside the baseline's; absent for the baseline, and without one
 *
 * @typedef {object} DepthSummary
 * @property {DepthRow[]} rows by transport, then by depth
 * @property {TransportRow[]} transports
 */

/**
 * @param {{ plan: Pick<DepthPlan, 'transports' | 'depths'>, trials: readonly DepthTrial[] }} document
 * @returns {DepthSummary}
 */
export function summarize({ plan: { transports, depths }, trials }) {
  const rows = transports.flatMap((transport) => depths.map((depth) => summarizeDepth(trials, { transport, depth })));
  const deepestDepth = Math.max(...depths);
  const baseline = BASELINES.find((name) => transports.includes(name));
  return {
    rows,
    transports: transports.map((transport) => {
      const [single, deepest] = [1, deepestDepth].map(
        (depth) => /** @type {DepthRow} */ (rows.find((row) => row.transport === transport && row.depth === depth)),
      );
      const isBaseline = transport === baseline;
      if (!baseline || isBaseline) return { isBaseline, single, deepest };
      const pair = /** @type {const} */ ([
        { transport, depth: deepestDepth },
        { transport: baseline, depth: deepestDepth },
      ]);
      return { isBaseline, single, deepest, speedUp: judgeRates(trials, pair) };
    }),
  };
}

/** @typedef {{ transport: string, depth: number }} Which of the rows */

/**
 * @param {readonly DepthTrial[]} trials
 * @param {Which} which
 * @returns {DepthRow}
 */
function summarizeDepth(trials, which) {
  const own = trials.filter((trial) => isOf(trial, which));
  const rates = own.map(rateOf).filter((rate) => rate !== undefined);
  const roundTripMs = sort(own.flatMap((trial) => trial.roundTripMs));
  return {
    ...which,
    protocols: protocolsOf(own),
    messagesPerSecond: ratioInterval(rates),
    p50Ms: quantile(roundTripMs, 0.5),
    sampleCount: roundTripMs.length,
    failureCount: sumOf(own, ({ failures }) => failures.length),
    blockCount: rates.length,
    gain: which.depth === 1 ? {} : judgeRates(trials, [which, { ...which, depth: 1 }]),
  };
}

/**
 * @param {readonly DepthTrial[]} trials
 * @param {readonly [Which, Which]} pair the rate of the first is set beside that of the second
 * @returns {Judged} over the blocks in which both have a rate
 */
function judgeRates(trials, [which, other]) {
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
 *
 * @param {DepthTrial} trial
 * @returns {number | undefined} messages per second; absent where it did not finish, or the clock did not move
 */
function rateOf({ endedAtMs, iterations }) {
  const elapsedMs = endedAtMs[iterations - 1];
  return elapsedMs > 0 ? (iterations / elapsedMs) * 1000 : undefined;
}
