import { describePages, openChromium } from '../support/smoke.js';

describePages('Chrome', openChromium);
