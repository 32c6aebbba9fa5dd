import { openFirefox } from './engines.js';
import { describeField } from './field.js';

describeField('Firefox', openFirefox);
