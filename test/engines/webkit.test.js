import { describePages } from '../support/smoke.js';
import { describeLoads } from './under-load.js';
import { openWebkit } from './engines.js';

describePages('Safari', openWebkit);
describeLoads('Safari', openWebkit);
