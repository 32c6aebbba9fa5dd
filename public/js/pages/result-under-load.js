import { openResultPage } from '../result-page.js';
import { underLoad } from '../../../core/experiments/under-load/index.js';
import { client } from '../clients/under-load.js';

await openResultPage(underLoad, client);
