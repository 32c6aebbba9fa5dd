import { describePages } from '../support/smoke.js';
import { describeTransports } from './contract.js';
import { describeLoads } from './under-load.js';
import { openWebkit } from './engines.js';

describePages('Safari', openWebkit);
describeTransports('Safari', openWebkit);
describeLoads('Safari', openWebkit);
