import { openResultPage } from '../result-page.js';
import { withoutComparison as shootout } from '../../../core/experiments/shootout/index.js';
import { client } from '../clients/shootout.js';

await openResultPage(shootout, client);
