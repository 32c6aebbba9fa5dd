import { describeCoverage } from '../../../support/coverage.js';

// Of other numbers of blocks, and of more runs: test/soak/coverage.test.js.
describeCoverage(2000, [10]);
