import { fixedRate as experiment } from '../../../core/experiments/fixed-rate/index.js';
import { createFixedRateChart } from '../charts/fixed-rate-chart.js';

/** @type {import('../experiment-page.js').ShownExperiment} */
export const fixedRate = { ...experiment, createChart: createFixedRateChart };
