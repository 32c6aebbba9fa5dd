/** The page of the full test: its plan is a list of measurements, among which the visitor chooses. */
import { client as cuts } from '../clients/cuts.js';
import { client as fixedRate } from '../clients/fixed-rate.js';
import { client as jobs } from '../clients/jobs.js';
import { client as payload } from '../clients/payload.js';
import { client as reach } from '../clients/reach.js';
import { client as stream } from '../clients/stream.js';
import { client as underLoad } from '../clients/under-load.js';
import { inputs } from '../base/page.js';
import { createFullTestForm } from '../forms/full-test.js';
import { fullTest, MEMBERS } from '../full-test-members.js';
import { together } from '../run/full-test.js';
import { openTestPage } from '../test-page.js';
import { createFullTestView } from '../ui/full-test-view.js';
import { linkQuery } from '../ui/home/result-view.js';

await openTestPage({
  name: fullTest.name,
  experiments: [fullTest],
  clients: { cuts, 'fixed-rate': fixedRate, jobs, payload, reach, stream, 'under-load': underLoad },
  together,
  createForm: (place) => createFullTestForm(MEMBERS, place),
  createView: () => createFullTestView(fullTest, MEMBERS),
  linkQuery,
  change: () => inputs('[name=test]')[0].focus(),
});
