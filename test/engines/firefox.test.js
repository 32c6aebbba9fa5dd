import { describePages } from '../support/smoke.js';
import { openFirefox } from './engines.js';

describePages('Firefox', openFirefox);
