import { describePages } from '../support/smoke.js';
import { describeLoads } from './under-load.js';
import { openFirefox } from './engines.js';

describePages('Firefox', openFirefox);
describeLoads('Firefox', openFirefox);
