import { openSingleTest } from '../single-test.js';
import { inFlight } from '../../../core/experiments/in-flight/index.js';

await openSingleTest(inFlight);
