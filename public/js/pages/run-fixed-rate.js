import { openExperimentPage } from '../experiment-page.js';
import { fixedRate } from '../../../core/experiments/fixed-rate/index.js';
import { client } from '../clients/fixed-rate.js';

await openExperimentPage(fixedRate, client);
