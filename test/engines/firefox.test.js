import { describePages } from '../support/smoke.js';
import { describeTransports } from './contract.js';
import { openFirefox } from './engines.js';

describePages('Firefox', openFirefox);
describeTransports('Firefox', openFirefox);
