import { openSingleTest } from '../single-test.js';
import { payload } from '../../../core/experiments/payload/index.js';
import { client } from '../clients/payload.js';
import { createPayloadForm } from '../forms/payload.js';

await openSingleTest(payload, client, createPayloadForm);
