import { openComparePage } from '../compare-page.js';
import { stream } from '../../../core/experiments/stream/index.js';

await openComparePage(stream);
