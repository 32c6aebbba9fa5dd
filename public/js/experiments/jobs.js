import { jobs as experiment } from '../../../core/experiments/jobs/index.js';
import { createJobsChart } from '../charts/jobs-chart.js';
import { createJobsDetails } from '../ui/jobs/jobs-details.js';

/** @import { ShownExperiment } from '../experiment-page.js' */

/** @type {ShownExperiment} */
export const jobs = { ...experiment, createChart: createJobsChart, createDetails: createJobsDetails };
