import { labelOf } from '../../net/labels.js';
import { planned } from '../../experiment/planned.js';
import { faultOf, sampleColumns, sampleRows, trialSchema } from './document.js';
import { measurement } from './measure.js';
import { checkDepthPlan, describeDepthPlan, FIELDS, messagesAt } from './plan.js';
import { report } from './report.js';
import { summarize } from './summary.js';

/**
 * The same echo, with more and more messages in flight.
 */
export const inFlight = planned({
  ...measurement,
  name: 'in-flight',
  label: 'Messages in flight',
  path: '/inflight',
  intro: 'How does throughput grow when 2 to 32 messages are in flight at once?',
  legend: 'Transports and concurrency',
  fields: FIELDS,
  checkPlan: checkDepthPlan,
  describePlan: describeDepthPlan,
  describeTrial: ({ transport, depth }) => `${labelOf(transport)} with ${depth} in flight`,
  messageCountOf: ({ depth }) => messagesAt(depth),
  hasChart: true,
  trialKeys: ['block', 'transport', 'depth'],
  trialSchema,
  faultOf,
  sampleColumns,
  sampleRows,
  headlineOf: ({ depths, transports }) => `${depths.join(', ')} in flight, by ${transports.map(labelOf).join(', ')}`,
  summarize,
  report,
});
