import { describePages } from '../support/smoke.js';
import { describeTransports } from './contract.js';
import { describeLoads } from './under-load.js';
import { openFirefox } from './engines.js';

describePages('Firefox', openFirefox);
describeTransports('Firefox', openFirefox);
describeLoads('Firefox', openFirefox);
