/**
 * What the pages of an experiment have in common: a plan, a run, what came of it, and how it is taken along.
 */
import { measureDocument } from '../core/measure-document.js';
import { loadLibraries } from './libraries.js';
import { createTransports } from './page-transports.js';
import { watchForEnd } from './run-end.js';
import { element } from './ui/element.js';
import { createExperimentForm } from './ui/experiment-form.js';
import { mountCopyButton, mountDownloadButton } from './ui/export-buttons.js';
import { whenLoaded, whenVisible } from './ui/frames.js';
import { createRunProgress } from './ui/run-progress.js';
import { createRow } from './ui/table.js';

const now = () => performance.now();

/**
 * @typedef {object} ExperimentReport
 * @property {string} words what came of it
 * @property {string} notes how it is to be read; may be empty
 * @property {readonly string[]} titles of the table's columns
 * @property {(column: number) => boolean} isTextColumn
 * @property {readonly string[][]} rows
 */

/**
 * @template P, T
 * @typedef {object} Experiment
 * @property {string} schema of its document
 * @property {string} fileName what a file of it is called first
 * @property {(query: URLSearchParams, options: { seed: number }) => P | undefined} parsePlan
 * @property {(plan: P) => string} formatPlan
 * @property {(plan: P) => string} describePlan
 * @property {(options: MeasureOptions<P>) => Promise<{ trials: T[], ending?: import('../core/run.js').Ending }>} measure
 * @property {(document: import('../core/measure-document.js').ExperimentDocument<P, T>) => ExperimentReport} report
 * @property {(uPlot: import('./ui/chart.js').UPlot, document: import('../core/measure-document.js').ExperimentDocument<P, T>) => { destroy(): void }} createChart
 * @property {(document: import('../core/measure-document.js').ExperimentDocument<P, T>) => string} formatMarkdown
 */

/**
 * @template P
 * @typedef {object} MeasureOptions
 * @property {P} plan
 * @property {Record<string, import('../core/transports/index.js').Transport>} transports
 * @property {import('../core/clock.js').Now} now
 * @property {AbortSignal} signal
 * @property {ReturnType<typeof createRunProgress>} progress
 */

/**
 * @template P, T
 * @param {Experiment<P, T>} experiment
 * @returns {Promise<void>} when the page can be used
 */
export async function openExperimentPage(experiment) {
  const { schema, parsePlan, formatPlan, describePlan, measure, createChart, formatMarkdown } = experiment;
  const cancel = element('#cancel', HTMLButtonElement);
  const progress = createRunProgress();
  const form = createExperimentForm({ parsePlan, formatPlan, describePlan, onStart: (plan) => start(plan) });
  /** @type {import('../core/measure-document.js').ExperimentDocument<P, T>} */
  let shown;
  /** @type {{ destroy(): void } | undefined} */
  let chart;

  /** @param {P} plan */
  const start = async (plan) => {
    const { signal, stop } = watchForEnd(cancel);
    setRunning(true);
    // Start is disabled now, and Cancel would take a second press of the same key.
    progress.focus();
    try {
      const { uPlot, ...libraries } = await loadLibraries();
      const transports = createTransports(libraries);
      shown = await measureDocument({
        schema,
        plan,
        now,
        environment: {
          url: location.origin + location.pathname,
          userAgent: navigator.userAgent,
          isCrossOriginIsolated: window.crossOriginIsolated,
        },
        statusUrl: '/status',
        signal,
        measure: () => measure({ plan, transports, now, signal, progress }).finally(progress.stop),
      });
      chart?.destroy();
      showReport(experiment.report(shown), shown.ending);
      chart = createChart(uPlot, shown);
      progress.say(shown.ending ? 'Ended early' : 'Finished');
    } catch (error) {
      form.say(`The run broke off: ${error}`);
      progress.say('Broken off');
      throw error;
    } finally {
      stop();
      setRunning(false);
    }
    element('#result-headline', HTMLElement).focus();
  };

  /** @param {boolean} isRunning */
  const setRunning = (isRunning) => {
    form.setEnabled(!isRunning);
    cancel.disabled = !isRunning;
  };

  mountDownloadButton('#download-json', {
    type: 'application/json',
    text: () => `${JSON.stringify(shown)}\n`,
    fileName: () => `${experiment.fileName}-${shown.startedAt.replace(/[:.]/g, '-')}.json`,
  });
  mountCopyButton('#copy-markdown', () => formatMarkdown(shown));
  mountCopyButton('#copy-link', () => `${shown.environment.url}?${formatPlan(shown.plan)}`);

  await whenLoaded();
  setRunning(false);
  if (!form.isLinkRefused && new URLSearchParams(location.search).get('autostart') === '1') {
    await whenVisible();
    form.submit();
  }
}

/**
 * @param {ExperimentReport} report
 * @param {import('../core/run.js').Ending} [ending]
 */
function showReport({ words, notes, titles, isTextColumn, rows }, ending) {
  element('#result', HTMLElement).hidden = false;
  element('#result-ending', HTMLElement).textContent = ending
    ? `${ending.reason} What was measured until then is below; do not rely on it.`
    : '';
  // The words would be relied on.
  element('#result-words', HTMLElement).textContent = ending ? '' : words;
  element('#result-notes', HTMLElement).textContent = ending ? '' : notes;
  element('#rows thead', HTMLElement).replaceChildren(createRow(titles, 'col', isTextColumn));
  element('#rows tbody', HTMLElement).replaceChildren(...rows.map((cells) => createRow(cells, 'row', isTextColumn)));
}
