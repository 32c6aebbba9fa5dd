import { describeDepthPlan, formatDepthPlan, parseDepthPlan } from '../../../core/experiments/in-flight/plan.js';
import {
  DEPTH_TITLES,
  describeDepths,
  formatDepthMarkdown,
  formatDepthRow,
  isTextColumn,
  summarizeDepths,
} from '../../../core/experiments/in-flight/report.js';
import { inFlight as measurement } from '../../../core/experiments/in-flight/measure.js';
import { createDepthChart } from '../charts/depth-chart.js';

/**
 * Messages in flight, as pages show them.
 *
 * @type {import('../experiment-page.js').ShownExperiment<import('../../../core/experiments/in-flight/plan.js').DepthPlan,
 *   import('../../../core/experiments/in-flight/measure.js').DepthTrial>}
 */
export const inFlight = {
  measurement,
  path: '/inflight',
  fileName: 'sockshootout-in-flight',
  parsePlan: parseDepthPlan,
  formatPlan: formatDepthPlan,
  describePlan: describeDepthPlan,
  report: ({ plan, trials }) => {
    const rows = summarizeDepths(plan, trials);
    return {
      words: describeDepths(rows).join(' '),
      notes: '',
      titles: DEPTH_TITLES,
      isTextColumn,
      rows: rows.map(formatDepthRow),
    };
  },
  createChart: (uPlot, { plan, trials }) => createDepthChart(uPlot, plan, summarizeDepths(plan, trials)),
  formatMarkdown: formatDepthMarkdown,
};
