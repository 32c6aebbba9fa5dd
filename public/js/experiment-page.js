/** The page of an experiment with a plan: form, run, result, export, made of what the experiment says of itself. */
import { measureDocument } from '../../core/experiment/run.js';
import { reachServer } from '../../core/net/http.js';
import { describeEnding } from '../../core/experiment/faults.js';
import { loadLibraries, preloadLibraries, createTransports } from './libraries.js';
import { mountRun } from './run/run-end.js';
import { element, readEnvironment, whenLoaded, whenVisible, now } from './ui/page.js';
import { createExperimentForm } from './ui/experiment-form.js';
import { createReportView } from './ui/report-view.js';
import { followTrials, createRunProgress } from './ui/progress.js';
import { mountExports } from './ui/export-buttons.js';
import { mountSaveForm } from './ui/save-form.js';

/** @import { Counts, Planned } from '../../core/experiment/contract.js' */
/** @import { PageClient, PageRun } from './clients/contract.js' */

const STATUS = '/status';
/** Hidden while no run is on. */
const cancel = element('#cancel');

/** @param {Planned} experiment @param {PageClient} client */
export async function openExperimentPage(experiment, client) {
  const ownForm = client.createForm?.();
  const ready = whenLoaded()
    .then(preloadLibraries)
    .then(() => ownForm?.prepare());
  const form = createExperimentForm({ ...experiment, ...ownForm, ready, onStart: (plan) => start(plan) });
  const start = mountPlannedRun(experiment, client, form);
  await ready;
  form.refresh();
  const isAsked = new URLSearchParams(location.search).get('autostart') === '1';
  if (isAsked && !form.isLinkRefused && cancel.hidden) {
    await whenVisible();
    form.submit();
  }
}

/**
 * @param {Planned} experiment @param {PageClient} client @param {ReturnType<typeof createExperimentForm>} form
 * @returns {(plan: any) => Promise<void>} starts a run
 */
function mountPlannedRun(experiment, client, form) {
  const progress = createRunProgress();
  const view = createReportView(experiment);
  const details = client.createDetails?.();
  /** @type {any} the document on the page */
  let shown;
  const saveForm = mountSaveForm({ documentsOf: () => [shown] });
  mountExports(experiment, () => shown);

  /** @param {boolean} isRunning */
  const setRunning = (isRunning) => {
    form.setEnabled(!isRunning);
    cancel.hidden = !isRunning;
  };
  setRunning(false);
  return mountRun({
    say: progress.say,
    begin() {
      setRunning(true);
      element('#running').hidden = false;
      saveForm.withdraw();
      // Measure is disabled now, and Stop would take a second press of the same key.
      progress.focus();
    },
    async measure(plan, signal) {
      const { uPlot, document } = await measure(experiment, client, { plan, signal, progress });
      const counts = document.trials.map((/** @type {unknown} */ trial) => experiment.countsOf(trial));
      const ended = describeEnding({ ending: document.ending, counts }, signal);
      // The server was lost before its first answer: there is nothing to show.
      if (ended && counts.every((/** @type {Counts} */ { answerCount }) => answerCount === 0)) {
        progress.say('Failed');
        return ended;
      }
      shown = document;
      view.show(uPlot, shown);
      details?.show(shown);
      element('#exports').hidden = false;
      element('#export-status').textContent = '';
      saveForm.offer();
      if (!shown.ending) progress.fill();
      progress.say(shown.ending ? 'Ended early' : 'Finished');
      return ended;
    },
    end(ended) {
      setRunning(false);
      if (ended) return;
      const headline = element('#result-headline');
      // At once, as some asked for less to move; focus alone would leave it at the foot of the window.
      headline.scrollIntoView({ block: 'start', behavior: 'instant' });
      headline.focus({ preventScroll: true });
    },
  });
}

/**
 * @param {Planned} experiment @param {PageClient} client @param {Pick<PageRun, 'plan' | 'signal' | 'progress'>} options
 * @throws {ExchangeError} where the server cannot be reached
 */
async function measure(experiment, { prepareRun }, { plan, signal, progress }) {
  await reachServer(fetch, STATUS, signal);
  const { uPlot, libraries } = await loadLibraries(signal);
  const transports = createTransports(libraries);
  const { close, ...means } = (await prepareRun?.({ plan, transports, libraries, now, signal, progress })) ?? {};
  try {
    const document = await measureDocument(experiment, {
      ...followTrials(experiment, { plan, progress }),
      ...means,
      transports,
      plan,
      now,
      environment: readEnvironment(),
      statusUrl: STATUS,
      signal,
    });
    return { uPlot, document };
  } finally {
    progress.stop();
    close?.();
  }
}
