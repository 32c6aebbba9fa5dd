import { openResultPage } from '../result-page.js';
import { cuts } from '../../../core/experiments/cuts/index.js';
import { client } from '../clients/cuts.js';

await openResultPage(cuts, client);
