import { planned } from '../../experiment/planned.js';
import { labelOfWay } from '../../net/delivery/labels.js';
import { faultOf, moreSchema, sampleColumns, sampleRows, transportsOf, trialSchema } from './document.js';
import { measurement } from './measure.js';
import { checkJobsPlan, describeJobsPlan, FIELDS } from './plan.js';
import { PLANNER_FIELDS } from './planner.js';
import { report } from './report.js';
import { summarizeJobs } from './summary.js';

/** How a client learns that a job is done, and what that costs. */
export const jobs = planned({
  ...measurement,
  name: 'jobs',
  label: 'Polling or push',
  path: '/polltest',
  intro: 'How soon do clients find out that a job is done, and what does it cost in requests, bytes and server CPU?',
  legend: 'How do clients find out?',
  fields: FIELDS,
  checkPlan: checkJobsPlan,
  describePlan: describeJobsPlan,
  presets: [
    {
      label: 'As in 2018',
      plan: 'ways=poll,socket-per-job,push&intervals=500,250&users=20&jobs=10&least=0&most=10000&limit=11000',
    },
    // Ten times faster with a tenth of the jobs: as many polls a second. More than that is the browser's own limit.
    {
      label: 'Quick',
      plan: 'ways=poll,socket-per-job,push&intervals=50,25&users=4&jobs=5&least=0&most=1000&limit=2000',
    },
  ],
  describeTrial: ({ way, intervalMs }) => labelOfWay(way, intervalMs),
  messageCountOf: (_, { users, jobs: each }) => users * each,
  hasChart: true,
  viewData: { capacity: PLANNER_FIELDS },
  moreSchema,
  trialKeys: ['way', 'intervalMs'],
  trialSchema,
  faultOf,
  sampleColumns,
  sampleRows,
  transportsOf,
  summarize: summarizeJobs,
  report,
});
