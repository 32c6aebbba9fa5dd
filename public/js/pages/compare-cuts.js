import { openComparePage } from '../compare-page.js';
import { cuts } from '../../../core/experiments/cuts/index.js';

await openComparePage(cuts);
