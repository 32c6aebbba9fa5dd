/**
 * How the latencies from the planned time are distributed, a line for each transport. The slowest few are what they differ
 * in, so each step to the right is a tenth of the messages before it.
 */
import { ratioInterval } from '../../base/statistics/intervals.js';
import { mean, quantile } from '../../base/statistics/values.js';
import { labelOf } from '../../net/labels.js';
import { openOf, sortedLatencies } from './summary.js';

/**
 * @import { Chart, Line } from '../../experiment/contract.js'
 * @import { LoopTrial } from './measure.js'
 * @import { FixedRatePlan } from './plan.js'
 */

const STEPS_PER_TENTH = 20;

/**
 * @param {FixedRatePlan} plan
 * @param {readonly LoopTrial[]} trials
 * @returns {Chart}
 */
export function chartOf({ transports, messages }, trials) {
  const oneOf = stepsTo(messages);
  return {
    caption: 'Latency from the planned time by percentile, with its 95% CI',
    x: { title: '% of the messages', logBase: 10, format: formatPercent },
    y: { title: 'ms', logBase: 10 },
    values: oneOf,
    hasDirectLabels: true,
    lines: transports.map((transport) =>
      lineOf(
        transport,
        oneOf,
        openOf(trials)
          .filter((trial) => trial.transport === transport)
          .map((trial) => sortedLatencies([trial], 'plan')),
      ),
    ),
  };
}

/**
 * @param {string} transport
 * @param {readonly number[]} oneOf
 * @param {readonly (readonly number[])[]} blocks the sorted latencies of each
 * @returns {Line} geometric means over the blocks
 */
function lineOf(transport, oneOf, blocks) {
  const atEach = oneOf.map((one) => {
    // No slower one is known than one of as many as there are; on a coarse clock some are 0, which has no logarithm.
    const ms = blocks.map((latencies) => (one > latencies.length ? 0 : (quantile(latencies, 1 - 1 / one) ?? 0)));
    return ms.every((value) => value > 0) ? ms : [];
  });
  return {
    label: labelOf(transport),
    colour: transport,
    values: atEach.map((ms) => (ms.length > 0 ? Math.exp(Number(mean(ms.map(Math.log)))) : null)),
    band: atEach.map((ms) => {
      const interval = ratioInterval(ms);
      return interval ? { low: interval.low, high: interval.high } : null;
    }),
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
