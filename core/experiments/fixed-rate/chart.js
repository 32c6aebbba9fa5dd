/**
 * How the latencies are distributed, two lines for each transport: from the plan, and back-to-back. The slowest few are what
 * they differ in, so each step to the right is a tenth of the messages before it.
 */
import { quantile } from '../../base/statistics/quantile.js';
import { labelOf } from '../../net/echo/labels.js';
import { sortedLatencies } from './summary.js';

/**
 * @import { Chart, Line } from '../../experiment/contract.js'
 * @import { LoopTrial } from './measure.js'
 * @import { FixedRatePlan } from './plan.js'
 */

const STEPS_PER_TENTH = 20;
const DASH = Object.freeze([6, 4]);

/**
 * @param {FixedRatePlan} plan
 * @param {readonly LoopTrial[]} trials
 * @returns {Chart}
 */
export function chartOf({ transports, blocks, messages }, trials) {
  const oneOf = stepsTo(blocks * messages);
  /** @param {string} transport @param {'plan' | 'closed'} view @returns {(number | null)[]} */
  const valuesOf = (transport, view) => {
    const own = trials.filter(
      (trial) => trial.transport === transport && (trial.loop === 'closed') === (view === 'closed'),
    );
    const latencies = sortedLatencies(own, view);
    // No slower one is known than one of as many as there are; on a coarse clock some are 0, which has no logarithm.
    return oneOf.map((one) => (one > latencies.length ? null : quantile(latencies, 1 - 1 / one) || null));
  };
  /** @param {'plan' | 'closed'} view @param {string} words @param {readonly number[]} [dash] @returns {Line[]} */
  const linesOf = (view, words, dash) =>
    transports.map((transport) => ({
      label: `${labelOf(transport)} ${words}`,
      colour: transport,
      dash,
      values: valuesOf(transport, view),
    }));
  return {
    caption: 'Latency by percentile of the messages',
    x: { title: '% of the messages', logBase: 10, format: formatPercent },
    y: { title: 'ms, at most', logBase: 10 },
    values: oneOf,
    lines: [...linesOf('plan', 'from the plan'), ...linesOf('closed', 'back-to-back (dashed)', DASH)],
  };
}

/**
 * @param {number} most
 * @returns {number[]} each stands for the slowest one of so many: 1 is the fastest of all, 100 the 99th percentile
 */
function stepsTo(most) {
  const count = Math.ceil(Math.log10(most) * STEPS_PER_TENTH);
  return Array.from({ length: count + 1 }, (_, step) => Math.min(most, 10 ** (step / STEPS_PER_TENTH)));
}

/**
 * @param {number} one
 * @returns {string} like '99.9'; empty between the tenths
 */
function formatPercent(one) {
  const tenths = Math.log10(one);
  return Number.isInteger(tenths) ? (100 - 100 / 10 ** tenths).toFixed(Math.max(0, tenths - 2)) : '';
}
