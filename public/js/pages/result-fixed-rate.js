import { openResultPage } from '../result-page.js';
import { fixedRate } from '../../../core/experiments/fixed-rate/index.js';
import { client } from '../clients/fixed-rate.js';

await openResultPage(fixedRate, client);
