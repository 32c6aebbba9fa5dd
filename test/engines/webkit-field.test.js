import { openWebkit } from './engines.js';
import { describeField } from './field.js';

describeField('Safari', openWebkit);
