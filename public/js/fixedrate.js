/**
 * The page of a fixed rate.
 */
import { describeFixedRatePlan, formatFixedRatePlan, parseFixedRatePlan } from '../core/experiments/fixed-rate-plan.js';
import {
  describeFixedRate,
  describeOmission,
  formatFixedRateMarkdown,
  formatLatencyRow,
  isTextColumn,
  summarizeFixedRate,
  TITLES,
} from '../core/experiments/fixed-rate-report.js';
import { measureFixedRate, SCHEMA } from '../core/experiments/fixed-rate.js';
import { labelOf } from '../core/transports/labels.js';
import { openExperimentPage } from './experiment-page.js';
import { createPacer } from './pacer.js';
import { createFixedRateChart } from './ui/fixed-rate-chart.js';
import { nextPaint } from './ui/frames.js';

await openExperimentPage({
  schema: SCHEMA,
  fileName: 'sockshootout-fixed-rate',
  parsePlan: parseFixedRatePlan,
  formatPlan: formatFixedRatePlan,
  describePlan: describeFixedRatePlan,
  measure: ({ progress, ...options }) => {
    const { transports, ratePerSecond, messages, blocks } = options.plan;
    const perBlock = transports.flatMap((transport) => [transport, transport]);
    const pacer = createPacer(options.now);
    return measureFixedRate({
      ...options,
      sleepUntil: pacer.sleepUntil,
      onTrialStart({ transport, loop, block }, counter) {
        const words = `${labelOf(transport)} ${loop === 'open' ? `at ${ratePerSecond}/s` : 'back-to-back'}`;
        progress.follow({ transports: perBlock, blocks, iterations: messages }, words, block, counter);
      },
      onTrialEnd: nextPaint,
    }).finally(pacer.close);
  },
  report: ({ plan, trials }) => ({
    words: describeFixedRate(plan, trials).join(' '),
    notes: describeOmission(plan),
    titles: TITLES,
    isTextColumn,
    rows: summarizeFixedRate(plan, trials).map(formatLatencyRow),
  }),
  createChart: createFixedRateChart,
  formatMarkdown: formatFixedRateMarkdown,
});
