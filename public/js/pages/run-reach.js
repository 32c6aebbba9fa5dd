import { openSingleTest } from '../single-test.js';
import { reach } from '../../../core/experiments/reach/index.js';
import { client } from '../clients/reach.js';

await openSingleTest(reach, client);
