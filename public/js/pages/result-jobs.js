import { openResultPage } from '../result-page.js';
import { jobs } from '../../../core/experiments/jobs/index.js';
import { client } from '../clients/jobs.js';

await openResultPage(jobs, client);
