import { openExperimentPage } from '../experiment-page.js';
import { inFlight } from '../../../core/experiments/in-flight/index.js';

await openExperimentPage(inFlight);
