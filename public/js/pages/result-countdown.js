import { openResultPage } from '../result-page.js';
import { countdown } from '../../../core/experiments/countdown/index.js';
import { client } from '../clients/countdown.js';

await openResultPage(countdown, client);
