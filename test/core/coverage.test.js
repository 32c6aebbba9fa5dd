import { describeCoverage } from '../support/coverage.js';

describeCoverage(2000);
