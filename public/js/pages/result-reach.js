import { openResultPage } from '../result-page.js';
import { reach } from '../../../core/experiments/reach/index.js';
import { client } from '../clients/reach.js';

await openResultPage(reach, client);
