import { describePages } from '../support/smoke.js';
import { openWebkit } from './engines.js';

describePages('Safari', openWebkit);
