import { inFlight as experiment } from '../../../core/experiments/in-flight/index.js';
import { summarizeDepths } from '../../../core/experiments/in-flight/report.js';
import { createDepthChart } from '../charts/depth-chart.js';

/** @import { ShownExperiment } from '../experiment-page.js' */

/** @type {ShownExperiment} */
export const inFlight = {
  ...experiment,
  createChart: (uPlot, { plan, trials }) => createDepthChart(uPlot, plan, summarizeDepths(plan, trials)),
};
