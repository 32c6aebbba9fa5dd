import { client as cuts } from '../clients/cuts.js';
import { client as fixedRate } from '../clients/fixed-rate.js';
import { client as jobs } from '../clients/jobs.js';
import { client as payload } from '../clients/payload.js';
import { client as reach } from '../clients/reach.js';
import { client as underLoad } from '../clients/under-load.js';
import { openFullTestPage } from '../full-test-page.js';

await openFullTestPage({ cuts, 'fixed-rate': fixedRate, jobs, payload, reach, 'under-load': underLoad });
