/** What each transport carried of the planned rate, and how fast it was beside the baseline. */
import { ratioInterval } from '../../base/statistics/intervals.js';
import { percentile } from '../../base/statistics/values.js';
import { BASELINES, judge } from '../../experiment/compare.js';
import { answerRateOf, findOverload } from './overload.js';
import { openOf, sortedLatencies } from './summary.js';

/**
 * @import { Interval } from '../../base/statistics/intervals.js'
 * @import { Judged } from '../../experiment/compare.js'
 * @import { LoopTrial, OpenLoopTrial } from './measure.js'
 * @import { Overload } from './overload.js'
 * @import { FixedRatePlan } from './plan.js'
 */

/**
 * @typedef {object} TransportRow
 * @property {string} transport
 * @property {boolean} isBaseline
 * @property {'carried' | 'behind' | 'unclear'} outcome carried: the planned rate within 10%, with every message answered
 * @property {Overload} [overload] absent where it kept up, or where that is not clear
 * @property {Interval} [answersPerSecond] geometric mean over the blocks; where it did not keep up, what it carries
 * @property {Interval} [p50Ms] from the planned time, geometric mean over the blocks
 * @property {Judged} [speedUp] of those p50s, block by block, beside the baseline's; absent for the baseline, and where one of
 *   the two did not keep up
 */

/**
 * @param {FixedRatePlan} plan
 * @param {readonly LoopTrial[]} trials
 * @param {{ isInBrowser: boolean }} where
 * @returns {TransportRow[]}
 */
export function summarizeTransports(plan, trials, where) {
  const baseline = BASELINES.find((name) => plan.transports.includes(name));
  const openOfTransport = (/** @type {string} */ name) => openOf(trials.filter(({ transport }) => transport === name));
  const rows = plan.transports.map((transport) => {
    const own = trials.filter((trial) => trial.transport === transport);
    return { isBaseline: transport === baseline, ...summarizeTransport(transport, own, { plan, where }) };
  });
  if (!baseline || rows.find(({ isBaseline }) => isBaseline)?.outcome === 'behind') return rows;
  return rows.map((row) =>
    row.isBaseline || row.outcome === 'behind'
      ? row
      : { ...row, speedUp: compareBlocks(openOfTransport(row.transport), openOfTransport(baseline)) },
  );
}

/**
 * @param {string} transport
 * @param {readonly LoopTrial[]} own
 * @param {{ plan: FixedRatePlan, where: { isInBrowser: boolean } }} run
 * @returns {Omit<TransportRow, 'isBaseline'>}
 */
function summarizeTransport(transport, own, { plan, where }) {
  const { ratePerSecond, messages } = plan;
  const open = openOf(own);
  const overload = findOverload(plan, own, where);
  const rates = open.map(answerRateOf).filter((rate) => rate !== undefined);
  const { word } = judge(rates.map((rate) => rate / ratePerSecond));
  const isWhole = open.every(({ samples }) => samples.iteration.length === messages);
  return {
    transport,
    outcome: overload || word === 'slower' ? 'behind' : word === 'same' && isWhole ? 'carried' : 'unclear',
    overload,
    answersPerSecond: overload?.carriedPerSecond ?? ratioInterval(rates),
    p50Ms: ratioInterval(open.flatMap((trial) => p50Of(trial) ?? [])),
  };
}

/** @param {OpenLoopTrial} trial @returns {number | undefined} absent where a coarse clock saw no time pass, too */
const p50Of = (trial) => percentile(sortedLatencies([trial], 'plan'), 50) || undefined;

/**
 * @param {readonly OpenLoopTrial[]} open
 * @param {readonly OpenLoopTrial[]} baseline
 * @returns {Judged} over the blocks in which both have a p50
 */
function compareBlocks(open, baseline) {
  const ratios = open.flatMap((trial) => {
    const base = baseline.find(({ block }) => block === trial.block);
    const [ms, baseMs] = [p50Of(trial), base && p50Of(base)];
    return ms && baseMs ? [baseMs / ms] : [];
  });
  return judge(ratios);
}
