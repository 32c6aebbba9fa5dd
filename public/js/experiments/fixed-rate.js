import { fixedRate as experiment } from '../../../core/experiments/fixed-rate/index.js';
import { createFixedRateChart } from '../charts/fixed-rate-chart.js';

/** @import { ShownExperiment } from '../experiment-page.js' */

/** @type {ShownExperiment} */
export const fixedRate = { ...experiment, createChart: createFixedRateChart };
