import { describeTransports } from './contract.js';
import { openFirefox } from './engines.js';

describeTransports('Firefox', openFirefox);
