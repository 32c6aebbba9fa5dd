import { jobs } from '../experiments/jobs.js';
import { openResultPage } from '../result-page.js';
import { createDraw } from '../ui/run/draw-experiment.js';

await openResultPage({ schema: jobs.measurement.schema, draw: createDraw(jobs) });
