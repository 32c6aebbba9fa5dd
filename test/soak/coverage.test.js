import { describeCoverage } from '../support/coverage.js';

describeCoverage(20_000, [6, 10, 20]);
