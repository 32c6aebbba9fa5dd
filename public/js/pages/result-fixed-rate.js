import { fixedRate } from '../experiments/fixed-rate.js';
import { openResultPage } from '../result-page.js';
import { createDraw } from '../ui/draw-experiment.js';

await openResultPage({ schema: fixedRate.measurement.schema, draw: createDraw(fixedRate) });
