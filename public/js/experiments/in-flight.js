import { inFlight as experiment } from '../../../core/experiments/in-flight/index.js';
import { summarizeDepths } from '../../../core/experiments/in-flight/report.js';
import { createDepthChart } from '../charts/depth-chart.js';

/** @type {import('../experiment-page.js').ShownExperiment} */
export const inFlight = {
  ...experiment,
  createChart: (uPlot, { plan, trials }) => createDepthChart(uPlot, plan, summarizeDepths(plan, trials)),
};
