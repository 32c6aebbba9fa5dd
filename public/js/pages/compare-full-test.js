import { openComparePage } from '../compare-page.js';
import { fullTest } from '../full-test-members.js';

await openComparePage(fullTest);
