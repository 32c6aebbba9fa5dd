import { openComparePage } from '../compare-page.js';
import { countdown } from '../../../core/experiments/countdown/index.js';

await openComparePage(countdown);
