import { fixedRate } from '../experiments/fixed-rate.js';
import { openResultPage } from '../result-page.js';
import { createDraw } from '../ui/run/draw-experiment.js';

await openResultPage({ schema: fixedRate.measurement.schema, draw: createDraw(fixedRate) });
