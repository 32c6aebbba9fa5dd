import { openExperimentPage } from '../experiment-page.js';
import { reach } from '../../../core/experiments/reach/index.js';
import { client } from '../clients/reach.js';

await openExperimentPage(reach, client);
