import { payload as experiment } from '../experiments/payload.js';
import { openResultPage } from '../result-page.js';
import { createDraw } from '../ui/run/draw-experiment.js';

await openResultPage({ experiment, draw: createDraw(experiment) });
