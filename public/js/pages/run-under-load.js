import { openSingleTest } from '../single-test.js';
import { underLoad } from '../../../core/experiments/under-load/index.js';
import { formatTotal } from '../../../core/experiments/under-load/plan.js';
import { client } from '../clients/under-load.js';

await openSingleTest(underLoad, client, () => ({ formatBytesOf: formatTotal }));
