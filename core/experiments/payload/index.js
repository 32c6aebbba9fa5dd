import { planned } from '../../experiment/planned.js';
import { labelOfTransfer } from '../../net/transfer/labels.js';
import { BUDGETS, SPARING_MEGABYTES } from './budget.js';
import { faultOf, headlineOf, planSchema, sampleColumns, sampleRows, trialSchema } from './document.js';
import { measurement } from './measure.js';
import * as plan from './plan.js';
import { BEST_OF_NOTE, report, summarize } from './report.js';

/** Messages of many sizes: uploads, downloads and echoes. */
export const payload = planned({
  ...measurement,
  name: 'payload',
  label: 'Payload size',
  path: '/payloadtest',
  intro: 'Which transport is fastest from 1 byte to 10 MB: upload, download and echo?',
  legend: 'Plan',
  fields: plan.FIELDS,
  parsePlan: plan.parsePayloadPlan,
  formatPlan: plan.formatPayloadPlan,
  describePlan: plan.describePayloadPlan,
  describeTrial: ({ size, direction, transport }) =>
    `${plan.formatSize(size)} ${direction} by ${labelOfTransfer(transport)}`,
  messageCountOf: () => 1,
  hasChart: false,
  viewData: {
    sizes: plan.DEFAULT_SIZES.map((size) => ({
      size,
      label: size === 1 ? '1 B (1 character)' : plan.formatSize(size),
      isPublished: plan.PUBLISHED_SIZES.includes(size),
    })),
    published: plan.PUBLISHED,
    bestOfNote: BEST_OF_NOTE,
    budgets: BUDGETS,
    sparingMegabytes: SPARING_MEGABYTES,
  },
  planSchema,
  trialKeys: ['block', 'size', 'direction', 'transport'],
  trialSchema,
  faultOf,
  sampleColumns,
  sampleRows,
  headlineOf,
  summarize,
  report,
});
