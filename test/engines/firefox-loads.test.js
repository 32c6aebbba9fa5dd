import { openFirefox } from './engines.js';
import { describeLoads } from './under-load.js';

describeLoads('Firefox', openFirefox);
