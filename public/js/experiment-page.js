/**
 * What the pages of an experiment have in common: a plan, a run, what came of it, and how it is taken along.
 */
import { measureDocument } from '../../core/experiment/measure-document.js';
import { reachServer } from '../../core/net/reach-server.js';
import { describeEnding, describeError } from '../../core/experiment/run-problem.js';
import { ExchangeError } from '../../core/net/exchange-error.js';
import { loadLibraries, preloadLibraries } from './libraries.js';
import { createTransports } from './run/page-transports.js';
import { watchForEnd } from './run/run-end.js';
import { element } from './ui/element.js';
import { createExperimentForm } from './ui/run/experiment-form.js';
import { createExperimentView } from './ui/run/experiment-view.js';
import { mountCopyButton, mountDownloadButton } from './ui/saving/export-buttons.js';
import { whenLoaded, whenVisible } from './ui/frames.js';
import { mountRunProblem } from './ui/run/run-problem.js';
import { createRunProgress } from './ui/run/run-progress.js';
import { mountSaveForm } from './ui/saving/save-form.js';

/**
 * @import { Now } from '../../core/base/clock.js'
 * @import { Experiment, Planned } from '../../core/experiment/contract.js'
 * @import { Transport } from '../../core/net/echo/index.js'
 * @import { UPlot } from './charts/chart.js'
 */

const now = () => performance.now();
const STATUS = '/status';

/**
 * @typedef {object} Drawing
 * @property {(uPlot: UPlot, document: any) => { destroy(): void }} createChart
 * @property {() => { show(document: any): void }} [createDetails] what the page shows besides
 *
 * @typedef {Experiment & Planned<any> & Drawing} ShownExperiment
 *
 * @typedef {object} RunOptions what is needed to make a run
 * @property {() => void} [arrange] is called before its form is read: what depends on what is chosen
 * @property {(plan: any) => any} [fitPlan] what of a plan can be carried out; throws a RangeError where nothing can
 * @property {() => Promise<void>} [prepare] is waited for before the first run
 * @property {(options: MeasureOptions) => PageRun} prepareRun
 */

/**
 * @typedef {{ onTrialStart?: (planned: any, progress: any) => void, onTrialEnd?: (run: any) => Promise<void> | void,
 *   close?: () => void, [option: string]: any }} PageRun what the run's options are besides; `close` is called when it is over
 */

/**
 * @typedef {object} MeasureOptions
 * @property {any} plan
 * @property {Record<string, Transport>} transports
 * @property {JQueryStatic} $
 * @property {typeof import('sockjs-client')} SockJS
 * @property {Now} now
 * @property {AbortSignal} signal
 * @property {ReturnType<typeof createRunProgress>} progress
 */

/**
 * @param {ShownExperiment} experiment
 * @param {RunOptions} options
 * @returns {Promise<void>} when the page can be used
 */
export async function openExperimentPage(experiment, { arrange, fitPlan, prepare, prepareRun }) {
  const { parsePlan, formatPlan, describePlan, formatMarkdown } = experiment;
  const cancel = element('#cancel', HTMLButtonElement);
  const progress = createRunProgress();
  const ready = whenLoaded()
    .then(preloadLibraries)
    .then(() => prepare?.());
  const form = createExperimentForm({
    ready,
    parsePlan,
    formatPlan,
    describePlan,
    arrange,
    fitPlan,
    onStart: (plan) => start(plan),
  });
  const view = createExperimentView(experiment);
  /** @type {any} */
  let shown;
  /** @type {any} */
  let started;
  const problem = mountRunProblem(() => start(started));
  const saveForm = mountSaveForm({ documentsOf: () => [shown] });

  /** @param {any} plan */
  const start = async (plan) => {
    const { signal, stop } = watchForEnd(cancel);
    started = plan;
    problem.clear();
    setRunning(true);
    saveForm.withdraw();
    // Start is disabled now, and Cancel would take a second press of the same key.
    progress.focus();
    /** @type {string | undefined} */
    let ended;
    try {
      await reachServer(fetch, STATUS, signal);
      const { uPlot, ...libraries } = await loadLibraries();
      const { $, SockJS } = libraries;
      const transports = createTransports(libraries);
      const { close, ...options } = prepareRun({ plan, transports, $, SockJS, now, signal, progress });
      const measuring = measureDocument(experiment, {
        ...options,
        transports,
        plan,
        now,
        environment: {
          url: location.origin + location.pathname,
          userAgent: navigator.userAgent,
          isCrossOriginIsolated: window.crossOriginIsolated,
        },
        statusUrl: STATUS,
        signal,
      });
      shown = await measuring.finally(() => {
        progress.stop();
        close?.();
      });
      view.show(uPlot, shown);
      element('#exports', HTMLElement).hidden = false;
      element('#export-status', HTMLElement).textContent = '';
      saveForm.offer();
      ended = describeEnding(shown, signal);
      progress.say(shown.ending ? 'Ended early' : 'Finished');
    } catch (error) {
      progress.say('Failed');
      ended = describeError(error);
      if (!(error instanceof ExchangeError)) throw error;
    } finally {
      stop();
      setRunning(false);
      // After the form can be used again: the focus goes to Retry.
      if (ended) problem.show(ended);
    }
    if (ended) return;
    const headline = element('#result-headline', HTMLElement);
    // At once, as some asked for less to move; focus alone would leave it at the foot of the window.
    headline.scrollIntoView({ block: 'start', behavior: 'instant' });
    headline.focus({ preventScroll: true });
  };

  /** @param {boolean} isRunning */
  const setRunning = (isRunning) => {
    form.setEnabled(!isRunning);
    cancel.disabled = !isRunning;
  };

  mountDownloadButton('#download-json', {
    type: 'application/json',
    text: () => `${JSON.stringify(shown)}\n`,
    fileName: () => `sockshootout-${experiment.name}-${shown.startedAt.replace(/[:.]/g, '-')}.json`,
  });
  mountCopyButton('#copy-markdown', () => formatMarkdown(shown));
  mountCopyButton('#copy-link', () => `${shown.environment.url}?${formatPlan(shown.plan)}`);

  setRunning(false);
  await ready;
  form.refresh();
  const isStarted = !cancel.disabled;
  if (!isStarted && !form.isLinkRefused && new URLSearchParams(location.search).get('autostart') === '1') {
    await whenVisible();
    form.submit();
  }
}
