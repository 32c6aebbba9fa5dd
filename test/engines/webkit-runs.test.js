import { openWebkit } from './engines.js';
import { describeRuns } from './runs.js';

describeRuns('Safari', openWebkit);
