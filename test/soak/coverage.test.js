import { describeCoverage } from '../support/coverage.js';

describeCoverage(10_000, [6, 10, 20]);
