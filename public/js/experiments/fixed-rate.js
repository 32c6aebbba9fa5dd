import {
  describeFixedRatePlan,
  formatFixedRatePlan,
  parseFixedRatePlan,
} from '../../../core/experiments/fixed-rate/plan.js';
import {
  describeFixedRate,
  describeOmission,
  formatFixedRateMarkdown,
  formatLatencyRow,
  isTextColumn,
  summarizeFixedRate,
  TITLES,
} from '../../../core/experiments/fixed-rate/report.js';
import { fixedRate as measurement } from '../../../core/experiments/fixed-rate/measure.js';
import { createFixedRateChart } from '../charts/fixed-rate-chart.js';

/**
 * A fixed rate, as pages show it.
 *
 * @type {import('../experiment-page.js').ShownExperiment<
 *   import('../../../core/experiments/fixed-rate/plan.js').FixedRatePlan,
 *   import('../../../core/experiments/fixed-rate/measure.js').LoopTrial>}
 */
export const fixedRate = {
  measurement,
  path: '/fixedrate',
  fileName: 'sockshootout-fixed-rate',
  parsePlan: parseFixedRatePlan,
  formatPlan: formatFixedRatePlan,
  describePlan: describeFixedRatePlan,
  report: ({ plan, trials }) => ({
    words: describeFixedRate(plan, trials).join(' '),
    notes: describeOmission(plan),
    titles: TITLES,
    isTextColumn,
    rows: summarizeFixedRate(plan, trials).map(formatLatencyRow),
  }),
  createChart: createFixedRateChart,
  formatMarkdown: formatFixedRateMarkdown,
};
