import { openFirefox } from './engines.js';
import { describeRuns } from './runs.js';

describeRuns('Firefox', openFirefox);
