import { openWebkit } from './engines.js';
import { describeLoads } from './under-load.js';

describeLoads('Safari', openWebkit);
