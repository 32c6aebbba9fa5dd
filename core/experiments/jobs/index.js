import { planned } from '../../experiment/planned.js';
import { labelOfDelivery } from '../../net/labels.js';
import { CAPACITY_FIELDS } from './capacity.js';
import { faultOf, moreSchema, sampleColumns, sampleRows, transportsOf, trialSchema } from './document.js';
import { measurement } from './measure.js';
import { checkJobsPlan, describeJobsPlan, FIELDS, formatJobsPlan, jobsPlanSchema } from './plan.js';
import { report } from './report.js';
import { summarizeJobs } from './summary.js';

/** How a client finds out that a job is done, and what that costs. */
export const jobs = planned({
  ...measurement,
  name: 'jobs',
  label: 'Polling or push',
  path: '/polltest',
  intro: 'How soon do clients find out that a job is done, and what does it cost in requests, bytes and server CPU?',
  legend: 'Plan of the run',
  fields: FIELDS,
  checkPlan: checkJobsPlan,
  describePlan: describeJobsPlan,
  presets: [
    // Few users, as all of a page share the six connections of its browser.
    {
      label: 'Quick',
      plan: 'ways=poll,push,sockjs&intervals=500&users=4&jobs=5&least=0&most=1000&limit=3000&blocks=6',
    },
    {
      label: 'As in 2018',
      plan: 'ways=poll,socket-per-job,push&intervals=500,250&users=20&jobs=10&least=0&most=10000&limit=11000',
    },
  ],
  formatPlan: formatJobsPlan,
  planSchema: jobsPlanSchema,
  describeTrial: ({ way, intervalMs }) => labelOfDelivery(way, intervalMs),
  messageCountOf: (_, { users, jobs: each }) => users * each,
  hasChart: true,
  viewData: { capacity: CAPACITY_FIELDS },
  moreSchema,
  trialKeys: ['way', 'intervalMs', 'block'],
  trialSchema,
  faultOf,
  sampleColumns,
  sampleRows,
  transportsOf,
  summarize: summarizeJobs,
  report,
});
