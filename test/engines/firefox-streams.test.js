import { openFirefox } from './engines.js';
import { describeStreams } from './streams.js';

describeStreams('Firefox', openFirefox);
