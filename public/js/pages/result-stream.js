import { openResultPage } from '../result-page.js';
import { stream } from '../../../core/experiments/stream/index.js';
import { client } from '../clients/stream.js';

await openResultPage(stream, client);
