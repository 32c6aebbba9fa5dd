import { openSingleTest } from '../single-test.js';
import { stream } from '../../../core/experiments/stream/index.js';
import { client } from '../clients/stream.js';

await openSingleTest(stream, client);
