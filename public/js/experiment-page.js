/** Generates the page of an experiment with a plan: form, run, result, export, from the experiment's description. */
import { describeEnding } from '../../core/experiment/faults.js';
import { packagesFor } from '../../core/experiment/packages.js';
import { ExchangeError } from '../../core/net/exchange-error.js';
import { probe } from '../../core/net/echo/probe.js';
import { createTransports, loadLibraries, preloadLibraries } from './libraries.js';
import { measureOnPage } from './run/measure.js';
import { mountPageLife, startIfLinked } from './run/page-life.js';
import { element, now, whenLoaded } from './base/page.js';
import { createExperimentForm } from './ui/experiment-form.js';
import { createKeptRun, readKeptDocument } from './ui/kept-run.js';
import { createReportView } from './ui/report-view.js';
import { createRunProgress } from './ui/progress.js';
import { mountResultActions, openOptions } from './ui/result-actions.js';

/** @import { Counts, Planned } from '../../core/experiment/contract.js' */
/** @import { PageClient, PageForm } from './clients/contract.js' */

/** @param {Planned} experiment @param {PageClient} [client] */
export async function openExperimentPage(experiment, client = {}) {
  const ownForm = client.createForm?.();
  let roundTripMs = estimateRoundTrip();
  const ready = whenLoaded()
    // A page works without it, too.
    .then(() => life.restore().catch(reportError))
    .then(() => preloadLibraries(packagesFor(experiment, form.plan())))
    .then(async () => (roundTripMs = await measureRoundTrip()));
  const form = createExperimentForm({
    secondsOf: (plan) => roundTripMs && experiment.fullTest?.secondsOf(plan, roundTripMs),
    ...experiment,
    ...ownForm,
    ready,
    onStart: (plan) => life.start(plan),
  });
  const life = mountPlannedLife(experiment, client, { form, prepare: ownForm?.prepare });
  await ready;
  form.refresh();
  // The visitor may have pressed while the page was loading.
  const startOnce = () => life.state() === 'asking' && form.submit();
  if (!form.isLinkRefused) await startIfLinked(startOnce);
}

/** @returns {number | undefined} ms, about: that of this page, until it is measured; absent if the browser kept the page */
function estimateRoundTrip() {
  const [{ requestStart = 0, responseStart = 0 } = {}] = /** @type {PerformanceNavigationTiming[]} */ (
    performance.getEntriesByType('navigation')
  );
  return Math.max(0, responseStart - requestStart) || undefined;
}

/** @returns {Promise<number | undefined>} ms over HTTP; absent if the server does not answer, which a run says */
async function measureRoundTrip() {
  try {
    return await probe(createTransports({}).xhr, now, { payloadBytes: 0 });
  } catch (error) {
    if (!(error instanceof ExchangeError)) throw error;
    return undefined;
  }
}

/**
 * @param {Planned} experiment @param {PageClient} client
 * @param {{ form: ReturnType<typeof createExperimentForm>, prepare?: PageForm['prepare'] }} asked
 */
function mountPlannedLife(experiment, client, { form, prepare }) {
  const progress = createRunProgress();
  const view = createReportView(experiment);
  const details = client.createDetails?.();
  /** @type {any} the document on the page */
  let shown;
  const kept = createKeptRun(experiment.name);
  mountResultActions({
    described: () => experiment,
    shown: () => shown,
    again: () => life.again(form.submit),
    change: () => life.change(openOptions),
  });

  /** @param {any} uPlot @param {any} document */
  const show = (uPlot, document) => {
    shown = document;
    view.show(uPlot, shown);
    details?.show(shown);
  };
  /** @param {any} uPlot @param {any} document */
  const showMeasured = (uPlot, document) => {
    kept.keep(document);
    show(uPlot, document);
  };
  const life = mountPageLife({
    progress,
    sharing: { documentsOf: () => [shown], onShared: kept.keepShared },
    outlives: experiment.outlives,
    restore,
    onState(state) {
      form.setEnabled(state !== 'running');
      if (state === 'running') shown = undefined;
    },
    async measure(/** @type {any} */ asked, { signal, noticed }) {
      const plan = prepare ? await prepare(asked, { signal, progress }) : asked;
      const { uPlot, document } = await measureOnPage(experiment, client, { plan, signal, progress, noticed });
      const { ending, trials } = document;
      const counts = trials.map((/** @type {unknown} */ trial) => experiment.countsOf(trial));
      const problem = describeEnding({ ending, counts }, signal);
      // The server was lost before its first answer: there is nothing to show.
      const isEmpty = counts.every((/** @type {Counts} */ { answerCount }) => answerCount === 0);
      if (problem && isEmpty) return { words: 'Failed', problem };
      if (!ending) progress.fill();
      return { words: ending ? 'Ended early' : 'Finished', problem, show: () => showMeasured(uPlot, document) };
    },
    focusAnswer() {
      const headline = element('#result-headline');
      // The page scrolls without animation, which some visitors switch off; focus alone would leave the headline at the
      // bottom of the window.
      headline.scrollIntoView({ block: 'start', behavior: 'instant' });
      headline.focus({ preventScroll: true });
    },
  });
  return life;

  /** Shows the last run of this tab again. @returns {Promise<boolean>} whether there was one */
  async function restore() {
    const document = shown ?? readKeptDocument(kept, experiment);
    if (!document) return false;
    const { uPlot } = await loadLibraries([]);
    if (life.state() === 'running') return false;
    life.showAnswer();
    if (document !== shown) {
      show(uPlot, document);
      life.offer(kept.readShared());
    }
    return true;
  }
}
