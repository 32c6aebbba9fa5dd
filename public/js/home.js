/**
 * The home page: a plan, a run, a report.
 */
import { formatPlan } from '../core/plan.js';
import { probe } from '../core/probe.js';
import { createReport } from '../core/report.js';
import { formatCsv } from '../core/result-csv.js';
import { formatMarkdown } from '../core/result-markdown.js';
import { formatResult } from '../core/result.js';
import { loadLibraries } from './libraries.js';
import { measureHere } from './measure-here.js';
import { createTransports } from './page-transports.js';
import { watchForEnd } from './run-end.js';
import { element } from './ui/element.js';
import { mountCopyButton, mountDownloadButton } from './ui/export-buttons.js';
import { whenLoaded, whenVisible } from './ui/frames.js';
import { createPlanForm } from './ui/plan-form.js';
import { createRunProgress } from './ui/run-progress.js';
import { createResultView } from './ui/result-view.js';
import { mountSavedFile } from './ui/saved-file.js';

const now = () => performance.now();
const cancel = element('#cancel', HTMLButtonElement);
const saved = element('#saved', HTMLInputElement);
const progress = createRunProgress();
const view = createResultView();
const form = createPlanForm({ onStart: (plan) => start(plan), onPayload: (payloadBytes) => lookAround(payloadBytes) });

/** @type {import('../core/result.js').Result} what is on the page */
let shown;

/**
 * One run, from the press to its report.
 *
 * @param {import('../core/plan.js').Plan} plan
 */
async function start(plan) {
  const { signal, stop } = watchForEnd(cancel);
  setRunning(true);
  // Start is disabled now, and Cancel would take a second press of the same key.
  progress.focus();
  try {
    const { $, SockJS, uPlot } = await loadLibraries();
    view.open(uPlot, plan.transports);
    shown = await measureHere({ plan, transports: createTransports({ $, SockJS }), now, signal, progress, view });
    view.show(shown);
    progress.say(shown.ending ? 'Ended early' : 'Finished');
  } catch (error) {
    form.say(`The run broke off: ${error}`);
    progress.say('Broken off');
    throw error;
  } finally {
    stop();
    setRunning(false);
  }
  view.focus();
}

/** @param {boolean} isRunning */
function setRunning(isRunning) {
  form.setEnabled(!isRunning);
  cancel.disabled = !isRunning;
  saved.disabled = isRunning;
}

/** @param {string} extension */
const fileName = (extension) => `sockshootout-${shown.startedAt.replace(/[:.]/g, '-')}.${extension}`;

mountDownloadButton('#download-json', {
  type: 'application/json',
  text: () => formatResult(shown),
  fileName: () => fileName('json'),
});
mountDownloadButton('#download-csv', {
  type: 'text/csv',
  text: () => formatCsv(shown),
  fileName: () => fileName('csv'),
});
mountCopyButton('#copy-markdown', () => formatMarkdown(createReport(shown)));
mountCopyButton('#copy-link', () => `${location.origin}/?${formatPlan(shown.plan)}`);

mountSavedFile(saved, async (result, origin) => {
  const { uPlot } = await loadLibraries();
  view.open(uPlot, result.plan.transports);
  view.show(result, origin);
  shown = result;
  view.focus();
});

/**
 * Looks how far away the server is; until then nothing can be started.
 *
 * @param {number} payloadBytes
 * @returns {Promise<boolean>} whether the server answers
 */
async function lookAround(payloadBytes) {
  form.setEnabled(false);
  form.setWaiting('Looking how far away the server is…');
  try {
    form.setRoundTrip(await probe(createTransports({}).xhr, now, { payloadBytes }));
  } catch (error) {
    form.setWaiting('');
    form.say(`The server does not answer: ${/** @type {Error} */ (error).message} Load the page again.`);
    return false;
  }
  form.setEnabled(true);
  return true;
}

await whenLoaded();
const isThere = await lookAround(form.payloadBytes);
if (isThere && !form.isLinkRefused && new URLSearchParams(location.search).get('autostart') === '1') {
  await whenVisible();
  form.submit();
}
