import { inFlight } from '../experiments/in-flight.js';
import { openResultPage } from '../result-page.js';
import { createDraw } from '../ui/run/draw-experiment.js';

await openResultPage({ schema: inFlight.measurement.schema, draw: createDraw(inFlight) });
