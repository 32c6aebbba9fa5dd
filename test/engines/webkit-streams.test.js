import { openWebkit } from './engines.js';
import { describeStreams } from './streams.js';

describeStreams('Safari', openWebkit);
