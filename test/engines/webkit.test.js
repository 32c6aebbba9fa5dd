import { describePages } from '../support/smoke.js';
import { describeTransports } from './contract.js';
import { openWebkit } from './engines.js';

describePages('Safari', openWebkit);
describeTransports('Safari', openWebkit);
