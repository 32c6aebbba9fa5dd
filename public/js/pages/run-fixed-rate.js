import { openSingleTest } from '../single-test.js';
import { fixedRate } from '../../../core/experiments/fixed-rate/index.js';
import { client } from '../clients/fixed-rate.js';

await openSingleTest(fixedRate, client);
