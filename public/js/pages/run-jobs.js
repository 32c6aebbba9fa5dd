import { openExperimentPage } from '../experiment-page.js';
import { jobs } from '../../../core/experiments/jobs/index.js';
import { client } from '../clients/jobs.js';

await openExperimentPage(jobs, client);
