import { openComparePage } from '../compare-page.js';
import { fixedRate } from '../../../core/experiments/fixed-rate/index.js';

await openComparePage(fixedRate);
