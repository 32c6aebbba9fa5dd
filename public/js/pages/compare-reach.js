import { openComparePage } from '../compare-page.js';
import { reach } from '../../../core/experiments/reach/index.js';

await openComparePage(reach);
