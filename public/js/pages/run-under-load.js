import { openExperimentPage } from '../experiment-page.js';
import { underLoad } from '../../../core/experiments/under-load/index.js';
import { client } from '../clients/under-load.js';

await openExperimentPage(underLoad, client);
