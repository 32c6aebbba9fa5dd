/** The page that reads a recording of the visitor's own page, and says what it polls, and what push would save there. */
import { element } from '../base/page.js';
import { readLastRun } from '../ui/kept-run.js';
import { forgetRecording, keepRecording, readRecordingKept } from '../ui/recording/kept-recording.js';
import { mountOpenForm } from '../ui/recording/open-form.js';
import { createRecordingView } from '../ui/recording/result-view.js';

const view = createRecordingView();
const form = mountOpenForm((recording, name) => {
  view.show({ recording, name }, { isKept: keepRecording({ recording, name }) });
  view.focus();
});
element('#other-file').addEventListener('click', form.chooseOther);
element('#forget-recording').addEventListener('click', () => {
  forgetRecording();
  location.reload();
});

const kept = readRecordingKept();
if (kept) {
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
