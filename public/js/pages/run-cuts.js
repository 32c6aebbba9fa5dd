import { openExperimentPage } from '../experiment-page.js';
import { cuts } from '../../../core/experiments/cuts/index.js';
import { client } from '../clients/cuts.js';

await openExperimentPage(cuts, client);
