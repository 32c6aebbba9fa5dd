/**
 * The home page: a plan, a run, a report.
 */
import { formatPlan } from '../../../core/plan.js';
import { probe } from '../../../core/probe.js';
import { createReport } from '../../../core/report.js';
import { formatCsv } from '../../../core/result-csv.js';
import { formatMarkdown } from '../../../core/result-markdown.js';
import { formatResult } from '../../../core/result.js';
import { loadLibraries, preloadLibraries } from '../libraries.js';
import { measureHere } from '../measure-here.js';
import { createTransports } from '../page-transports.js';
import { watchForEnd } from '../run-end.js';
import { element } from '../ui/element.js';
import { mountCopyButton, mountDownloadButton } from '../ui/export-buttons.js';
import { whenLoaded, whenVisible } from '../ui/frames.js';
import { mountHistoryList } from '../ui/history-list.js';
import { createPlanForm } from '../ui/plan-form.js';
import { createRunProgress } from '../ui/run-progress.js';
import { createResultView } from '../ui/result-view.js';
import { mountSaveForm } from '../ui/save-form.js';
import { mountSavedFile } from '../ui/saved-file.js';
import { createServerChoice } from '../ui/server-choice.js';
import { mountServerResults } from '../ui/server-results.js';

const LOOKING = 'Looking how far away the server is…';
const NO_SERVER = 'Servers: expected at least one, got none';

const now = () => performance.now();
const cancel = element('#cancel', HTMLButtonElement);
const saved = element('#saved', HTMLInputElement);
const progress = createRunProgress();
const view = createResultView();
const form = createPlanForm({ onStart: (plan) => start(plan), onPayload: (payloadBytes) => lookAround(payloadBytes) });
const serverChoice = createServerChoice({ onChange: () => lookAround(payloadBytes) });
const serverResults = mountServerResults((index) => show(measured[index]));

/** @type {import('../../../core/result.js').Result[]} of the last press, one of each server */
let measured = [];
/** @type {import('../../../core/result.js').Result} what is on the page */
let shown;
let { payloadBytes } = form;

const savedHere = mountHistoryList();
const saveForm = mountSaveForm({ documentsOf: () => measured, onSaved: savedHere.show });

/**
 * One press: a run to each server that is chosen, and its report.
 *
 * @param {import('../../../core/plan.js').Plan} plan
 */
async function start(plan) {
  const servers = serverChoice.chosen();
  if (servers.length === 0) {
    form.say(NO_SERVER);
    return;
  }
  const { signal, stop } = watchForEnd(cancel);
  setRunning(true);
  // Start is disabled now, and Cancel would take a second press of the same key.
  progress.focus();
  try {
    const { $, SockJS, uPlot } = await loadLibraries();
    view.open(uPlot, plan.transports);
    setTakeAlong(false);
    serverResults.hide();
    const libraries = { $, SockJS };
    measured = await measureHere({ servers, plan, libraries, now, signal, progress, view });
    view.show(measured[0]);
    shown = measured[0];
    serverResults.show(servers, measured);
    setTakeAlong(true);
    progress.say(measured.some(({ ending }) => ending) ? 'Ended early' : 'Finished');
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

/**
 * @param {import('../../../core/result.js').Result} result
 * @param {string} [origin] where it comes from, if it was not made just now
 */
async function show(result, origin) {
  const { uPlot } = await loadLibraries();
  view.open(uPlot, result.plan.transports);
  view.show(result, origin);
  shown = result;
}

/** @param {boolean} isRunning */
function setRunning(isRunning) {
  form.setEnabled(!isRunning);
  cancel.disabled = !isRunning;
  saved.disabled = isRunning;
}

/** @param {boolean} isThere is there a result to export and to save? */
function setTakeAlong(isThere) {
  element('#exports', HTMLElement).hidden = !isThere;
  element('#export-status', HTMLElement).textContent = '';
  if (isThere) saveForm.offer();
  else saveForm.withdraw();
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
  await show(result, origin);
  measured = [result];
  serverResults.hide();
  setTakeAlong(true);
  view.focus();
});

let lookCount = 0;

/**
 * Looks how far away the servers are: a run that is started meanwhile waits for that. One that does not answer is left
 * out.
 *
 * @param {number} bytes of payload in each message
 * @returns {Promise<boolean>} whether there is a server to measure
 */
async function lookAround(bytes) {
  const look = ++lookCount;
  payloadBytes = bytes;
  form.forgetRoundTrips(LOOKING);
  const { roundTripsMs, problems } = await findRoundTrips();
  // What it was about has changed meanwhile.
  if (look !== lookCount) return false;
  const isThere = roundTripsMs.length > 0;
  form.setEnabled(isThere || serverChoice.isOffered);
  if (isThere) form.setRoundTrips(roundTripsMs);
  else form.forgetRoundTrips('');
  if (problems.length > 0) form.say(problems.join(' '));
  else if (!isThere) form.say(NO_SERVER);
  return isThere;
}

/** @returns {Promise<{ roundTripsMs: number[], problems: string[] }>} of the chosen servers that answer; why others do not */
async function findRoundTrips() {
  /** @type {number[]} */
  const roundTripsMs = [];
  /** @type {string[]} */
  const problems = [];
  for (const server of serverChoice.chosen()) {
    try {
      roundTripsMs.push(await probe(createTransports({}, server.origin).xhr, now, { payloadBytes }));
    } catch (error) {
      const reason = /** @type {Error} */ (error).message;
      serverChoice.leaveOut(server, reason);
      problems.push(`${server.name} cannot be measured: ${reason}`);
    }
  }
  return { roundTripsMs, problems };
}

form.forgetRoundTrips(LOOKING);
form.setEnabled(true);
await whenLoaded();
await preloadLibraries();
const isThere = await lookAround(payloadBytes);
if (
  isThere &&
  cancel.disabled &&
  !form.isLinkRefused &&
  new URLSearchParams(location.search).get('autostart') === '1'
) {
  await whenVisible();
  form.submit();
}
