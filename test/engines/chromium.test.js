import { describeCuts } from './cuts.js';
import { describePages, openChromium } from '../support/smoke.js';

describePages('Chrome', openChromium);
describeCuts('Chrome', openChromium);
