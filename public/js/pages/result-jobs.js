import { jobs as experiment } from '../experiments/jobs.js';
import { openResultPage } from '../result-page.js';
import { createDraw } from '../ui/run/draw-experiment.js';

await openResultPage({ experiment, draw: createDraw(experiment) });
