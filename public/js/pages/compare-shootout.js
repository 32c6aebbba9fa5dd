import { openComparePage } from '../compare-page.js';
import { shootout } from '../../../core/experiments/shootout/index.js';

await openComparePage(shootout);
