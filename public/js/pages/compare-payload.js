import { openComparePage } from '../compare-page.js';
import { payload } from '../../../core/experiments/payload/index.js';

await openComparePage(payload);
