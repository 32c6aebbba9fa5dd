/**
 * How the latencies are distributed, one pair of lines for each transport: from the plan, and back-to-back. The slowest few
 * are what they differ in, so each step to the right is a tenth of the messages before it.
 */
import { describeFixedRate, sortedLatencies } from '../../../core/experiments/fixed-rate/report.js';
import { quantile } from '../../../core/base/statistics/quantile.js';
import { element } from '../ui/element.js';
import { axis, drawChart, seriesOf } from './chart.js';

/**
 * @import { ExperimentDocument } from '../../../core/experiment/measure-document.js'
 * @import { LoopTrial } from '../../../core/experiments/fixed-rate/measure.js'
 * @import { FixedRatePlan } from '../../../core/experiments/fixed-rate/plan.js'
 * @import { UPlot } from './chart.js'
 */

const STEPS_PER_TENTH = 20;

/**
 * @param {UPlot} uPlot
 * @param {Pick<ExperimentDocument< FixedRatePlan, LoopTrial>, 'plan' | 'trials'>} document
 * @returns {{ destroy(): void }}
 */
export function createFixedRateChart(uPlot, { plan, trials }) {
  const place = element('#latency-chart .chart', HTMLElement);
  place.setAttribute('aria-label', `Chart. ${describeFixedRate(plan, trials).join(' ')}`);
  const { transports, blocks, messages } = plan;
  const oneOf = stepsTo(blocks * messages);

  /** @param {'plan' | 'closed'} view */
  const columnsOf = (view) =>
    transports.map((transport) => {
      const own = trials.filter(
        (trial) => trial.transport === transport && (trial.loop === 'closed') === (view === 'closed'),
      );
      const latencies = sortedLatencies(own, view);
      // No slower one is known than one of as many as there are; on a coarse clock some are 0, which has no logarithm.
      return oneOf.map((one) => (one > latencies.length ? null : quantile(latencies, 1 - 1 / one) || null));
    });
  const [, ...solid] = seriesOf(transports, () => ({ width: 2, points: { show: false } }));
  const [, ...dashed] = seriesOf(transports, () => ({ width: 2, dash: [6, 4], points: { show: false } }));
  return drawChart(
    uPlot,
    place,
    {
      scales: { x: { time: false, distr: 3 }, y: { distr: 3 } },
      series: [
        {},
        ...solid.map((series) => ({ ...series, label: `${series.label} from the plan` })),
        ...dashed.map((series) => ({ ...series, label: `${series.label} back-to-back (dashed)` })),
      ],
      axes: [
        axis('% of the messages', { values: (_, ones) => ones.map(formatPercent) }),
        axis('ms, at most', { size: 60 }),
      ],
    },
    [oneOf, ...columnsOf('plan'), ...columnsOf('closed')],
  );
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
 * @param {number | null} one
 * @returns {string} like '99.9'; empty between the tenths
 */
function formatPercent(one) {
  const tenths = Math.log10(one ?? NaN);
  if (!Number.isInteger(tenths)) return '';
  return (100 - 100 / 10 ** tenths).toFixed(Math.max(0, tenths - 2));
}
