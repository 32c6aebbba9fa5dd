import { planned } from '../../experiment/planned.js';
import { labelOf } from '../../net/labels.js';
import { faultOf, sampleColumns, sampleRows, trialSchema } from './document.js';
import { measurement } from './measure.js';
import { checkFixedRatePlan, describeFixedRatePlan, FIELDS } from './plan.js';
import { report, summarize } from './report.js';

/**
 * Messages on a schedule, beside the back-to-back loop.
 */
export const fixedRate = planned({
  ...measurement,
  name: 'fixed-rate',
  label: 'Fixed rate',
  path: '/fixedrate',
  intro: 'How long do answers take when messages leave on a schedule, not after the last answer?',
  legend: 'Transports and rate',
  fields: FIELDS,
  checkPlan: checkFixedRatePlan,
  describePlan: describeFixedRatePlan,
  describeTrial: ({ transport, loop }) =>
    `${labelOf(transport)} ${loop === 'open' ? 'at the fixed rate' : 'back-to-back'}`,
  messageCountOf: (_, { messages }) => messages,
  hasChart: true,
  trialKeys: ['block', 'transport', 'loop'],
  trialSchema,
  faultOf,
  sampleColumns,
  sampleRows,
  headlineOf: ({ ratePerSecond }) => `At ${ratePerSecond} messages/s, and back-to-back`,
  summarize,
  report,
});
