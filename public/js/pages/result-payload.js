import { openResultPage } from '../result-page.js';
import { payload } from '../../../core/experiments/payload/index.js';
import { client } from '../clients/payload.js';

await openResultPage(payload, client);
