import { openSingleTest } from '../single-test.js';
import { cuts } from '../../../core/experiments/cuts/index.js';
import { client } from '../clients/cuts.js';

await openSingleTest(cuts, client);
