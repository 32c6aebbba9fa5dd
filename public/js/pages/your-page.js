/** The page that reads a recording of the visitor's own page, and says what it polls, and what push would save there. */
import { element } from '../base/page.js';
import { readLastRun } from '../ui/kept-run.js';
import { mountOpenForm } from '../ui/recording/open-form.js';
import { createRecordingView } from '../ui/recording/result-view.js';
import { keep, readKept } from '../storage.js';

/** @import { ShownRecording } from '../ui/recording/result-view.js' */

/** What was found is kept for this tab: it is shown again when the visitor comes back from a run. */
const KEY = 'sockshootout/recording/1';
const PLACE = 'sessionStorage';

const view = createRecordingView();
const form = mountOpenForm((recording, name) => {
  const shown = { recording, name };
  // An older one must not come back if this one is too large to keep.
  keep(PLACE, KEY, undefined);
  keep(PLACE, KEY, shown);
  view.show(shown);
  view.focus();
});
element('#other-file').addEventListener('click', form.chooseOther);

/** @type {ShownRecording | undefined} */
const kept = readKept(PLACE, KEY);
if (kept?.recording) {
  view.show(kept);
  await showRun();
}

/** A run that was measured for this recording says what was predicted before. */
async function showRun() {
  const [document] = readLastRun('home')?.documents ?? [];
  if (!document) return;
  const { findMeasuredPush } = await import('../later/measured-push.js');
  const measured = findMeasuredPush(document, view.situation());
  if (measured) view.showMeasured(measured);
}
