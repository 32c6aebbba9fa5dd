import { describeCoverage } from '../support/coverage.js';

describeCoverage(4000, [6, 10, 20]);
