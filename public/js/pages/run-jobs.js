import { openSingleTest } from '../single-test.js';
import { jobs } from '../../../core/experiments/jobs/index.js';
import { client } from '../clients/jobs.js';

await openSingleTest(jobs, client);
