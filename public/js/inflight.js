/**
 * The page of messages in flight.
 */
import { describeDepthPlan, formatDepthPlan, messagesAt, parseDepthPlan } from '../core/experiments/in-flight-plan.js';
import {
  DEPTH_TITLES,
  describeDepths,
  formatDepthMarkdown,
  formatDepthRow,
  isTextColumn,
  summarizeDepths,
} from '../core/experiments/in-flight-report.js';
import { measureDepths, SCHEMA } from '../core/experiments/in-flight.js';
import { labelOf } from '../core/transports/labels.js';
import { openExperimentPage } from './experiment-page.js';
import { createDepthChart } from './ui/depth-chart.js';
import { nextPaint } from './ui/frames.js';

await openExperimentPage({
  schema: SCHEMA,
  fileName: 'sockshootout-in-flight',
  parsePlan: parseDepthPlan,
  formatPlan: formatDepthPlan,
  describePlan: describeDepthPlan,
  measure: ({ progress, ...options }) => {
    const { transports, depths, blocks } = options.plan;
    const perBlock = transports.flatMap((transport) => depths.map(() => transport));
    return measureDepths({
      ...options,
      onTrialStart({ transport, depth, block }, counter) {
        const words = `${labelOf(transport)} with ${depth} in flight`;
        progress.follow({ transports: perBlock, blocks, iterations: messagesAt(depth) }, words, block, counter);
      },
      onTrialEnd: nextPaint,
    });
  },
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
});
