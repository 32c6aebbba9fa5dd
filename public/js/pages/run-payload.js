import { openExperimentPage } from '../experiment-page.js';
import { payload } from '../../../core/experiments/payload/index.js';
import { client } from '../clients/payload.js';

await openExperimentPage(payload, client);
