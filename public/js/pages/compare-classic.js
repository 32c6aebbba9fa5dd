import { openComparePage } from '../compare-page.js';
import { classic } from '../../../core/experiments/classic/index.js';

await openComparePage(classic);
