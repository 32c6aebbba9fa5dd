import { openResultPage } from '../result-page.js';
import { inFlight } from '../../../core/experiments/in-flight/index.js';

await openResultPage(inFlight);
