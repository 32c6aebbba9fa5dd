import { payload as experiment } from '../../../core/experiments/payload/index.js';
import { createPayloadCharts } from '../charts/payload-charts.js';
import { createPayloadWords } from '../ui/payload/payload-words.js';

/** @import { ShownExperiment } from '../experiment-page.js' */

/** @type {ShownExperiment} */
export const payload = { ...experiment, createChart: createPayloadCharts, createDetails: createPayloadWords };
