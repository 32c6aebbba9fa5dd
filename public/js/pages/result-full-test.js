import { openResultPage } from '../result-page.js';
import { createFullTestView } from '../ui/full-test-view.js';
import { fullTest, MEMBERS } from '../full-test-members.js';

await openResultPage(fullTest, { createView: () => createFullTestView(fullTest, MEMBERS) });
