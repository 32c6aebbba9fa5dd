import { openComparePage } from '../compare-page.js';
import { inFlight } from '../../../core/experiments/in-flight/index.js';

await openComparePage(inFlight);
