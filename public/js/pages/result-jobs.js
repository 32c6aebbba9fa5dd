import { jobs } from '../experiments/jobs.js';
import { openResultPage } from '../result-page.js';
import { createDraw } from '../ui/draw-experiment.js';

await openResultPage({ schema: jobs.measurement.schema, draw: createDraw(jobs) });
