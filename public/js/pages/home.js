/** The home page: its plan is one measurement or two, of what the visitor's situation is about. */
import { withoutComparison as shootout } from '../../../core/experiments/shootout/index.js';
import { client as jobs } from '../clients/jobs.js';
import { client as echoes } from '../clients/shootout.js';
import { createHomeForm } from '../forms/home.js';
import { together } from '../run/full-test.js';
import { fullTest } from '../run/home-parts.js';
import { openTestPage } from '../test-page.js';
import { createHomeView } from '../ui/home/home-view.js';
import { linkQuery } from '../ui/home/result-view.js';
import { mountSavedFile } from '../ui/home/saved-file.js';
import { mountServerResults } from '../ui/home/servers.js';

await openTestPage({
  name: 'home',
  experiments: [shootout, fullTest],
  // A file that is exported here has no name of an experiment.
  fileName: '',
  clients: { shootout: echoes, jobs },
  together,
  createForm: createHomeForm,
  createView: createHomeView,
  linkQuery,
  mountDocuments: mountServerResults,
  mountFile: mountSavedFile,
});
