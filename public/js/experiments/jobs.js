import { jobs as experiment } from '../../../core/experiments/jobs/index.js';
import { createJobsChart } from '../charts/jobs-chart.js';
import { createJobsDetails } from '../ui/jobs/jobs-details.js';

/** @type {import('../experiment-page.js').ShownExperiment} */
export const jobs = { ...experiment, createChart: createJobsChart, createDetails: createJobsDetails };
