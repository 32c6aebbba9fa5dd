import { payload } from '../experiments/payload.js';
import { openResultPage } from '../result-page.js';
import { createDraw } from '../ui/run/draw-experiment.js';

await openResultPage({ schema: payload.measurement.schema, draw: createDraw(payload) });
