import { openComparePage } from '../compare-page.js';
import { jobs } from '../../../core/experiments/jobs/index.js';

await openComparePage(jobs);
