import { openComparePage } from '../compare-page.js';
import { underLoad } from '../../../core/experiments/under-load/index.js';

await openComparePage(underLoad);
