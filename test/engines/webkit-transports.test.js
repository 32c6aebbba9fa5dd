import { describeTransports } from './contract.js';
import { openWebkit } from './engines.js';

describeTransports('Safari', openWebkit);
