import { describePayloadPlan, formatPayloadPlan, parsePayloadPlan } from '../../../core/experiments/payload/plan.js';
import {
  describePayload,
  describeReading,
  formatPayloadMarkdown,
  tabulatePayload,
} from '../../../core/experiments/payload/report.js';
import { payload as measurement } from '../../../core/experiments/payload/measure.js';
import { createPayloadCharts } from '../charts/payload-charts.js';
import { createPayloadWords } from '../ui/payload/payload-words.js';

/**
 * The payload experiment, as pages show it.
 *
 * @type {import('../experiment-page.js').ShownExperiment<
 *   import('../../../core/experiments/payload/plan.js').PayloadPlan,
 *   import('../../../core/experiments/payload/measure.js').PayloadTrial>}
 */
export const payload = {
  measurement,
  path: '/payloadtest',
  fileName: 'sockshootout-payload',
  parsePlan: parsePayloadPlan,
  formatPlan: formatPayloadPlan,
  describePlan: describePayloadPlan,
  report: ({ plan, trials, environment }) => ({
    // A sweep's are many: each direction has its own.
    words: plan.preset ? describePayload(plan, trials, environment).join(' ') : '',
    notes: describeReading(plan),
    ...tabulatePayload(plan, trials, environment),
  }),
  createChart: createPayloadCharts,
  createDetails: createPayloadWords,
  formatMarkdown: formatPayloadMarkdown,
};
