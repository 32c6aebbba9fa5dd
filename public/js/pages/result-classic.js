import { openResultPage } from '../result-page.js';
import { classic } from '../../../core/experiments/classic/index.js';
import { client } from '../clients/classic.js';

await openResultPage(classic, client);
