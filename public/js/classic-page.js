/**
 * The page of a classic test: a field, four buttons, a log; the last figures of both pages; the fine clock's figures beneath.
 */
import { measureStepMs } from '../../core/base/clock.js';
import { measureColdSetUp } from '../../core/net/cold-set-up.js';
import { runExperiment } from '../../core/experiment/run.js';
import { classic } from '../../core/experiments/classic/index.js';
import { parseIterations } from '../../core/experiments/classic/measure.js';
import { isReused } from '../../core/experiment/lone-trials.js';
import { formatJson, formatMarkdown, toDocument } from '../../core/experiments/classic/export.js';
import { rateOf } from '../../core/experiments/classic/rates.js';
import { describeEnding, describeError, describeTrialEnd } from '../../core/experiment/run-problem.js';
import { keepLastRate } from './last-rates.js';
import { watchForEnd } from './run/run-end.js';
import { createClassicView } from './ui/classic/classic-view.js';
import { element } from './ui/element.js';
import { mountCopyButton, mountDownloadButton } from './ui/saving/export-buttons.js';
import { nextPaint } from './ui/frames.js';
import { watchHidden } from './ui/run/hidden-watch.js';
import { showLastRates } from './ui/classic/last-rates-view.js';
import { createProgressBar } from './ui/run/progress-bar.js';
import { mountRunProblem } from './ui/run/run-problem.js';
import { mountSaveForm } from './ui/saving/save-form.js';

/**
 * @import { Ending } from '../../core/experiment/run.js'
 * @import { ClassicRecord, ClassicResult } from '../../core/experiments/classic/export.js'
 * @import { Transport } from '../../core/net/echo/index.js'
 */

const now = () => performance.now();

/** @param {Transport} transport */
export function mountClassicPage(transport) {
  const field = element('#iterations', HTMLInputElement);
  const fieldError = element('#iterations-error', HTMLElement);
  const startControls = element('#start-controls', HTMLFieldSetElement);
  const cancel = element('#cancel', HTMLButtonElement);
  const permalink = element('#permalink', HTMLAnchorElement);
  const progressBar = createProgressBar();
  const view = createClassicView();
  /** @type {number[]} */
  let started = [];
  const problem = mountRunProblem(() => start(started));

  /** @type {ClassicResult} */
  const result = {
    transport: transport.name,
    environment: {
      url: location.origin + location.pathname,
      userAgent: navigator.userAgent,
      stepMs: measureStepMs(now),
      isCrossOriginIsolated: window.crossOriginIsolated,
    },
    runs: [],
  };
  mountCopyButton('#copy', () => formatMarkdown(result));
  mountDownloadButton('#download', {
    type: 'application/json',
    text: () => formatJson(result),
    fileName: () => `sockshootout-${transport.name}-${result.runs[0].startedAt.replace(/[:.]/g, '-')}.json`,
  });

  const saveForm = mountSaveForm({ documentsOf: () => [toDocument(result)] });

  /** @param {ClassicRecord} record */
  const add = (record) => {
    result.runs.push(record);
    view.addEnd(record);
    const rate = rateOf(record);
    if (rate !== undefined) keepLastRate(transport.name, record.trial.iterations, rate);
    showLastRates();
  };

  /**
   * @param {number[]} iterations at least one
   * @param {number} clickedAtMs
   * @param {AbortSignal} signal
   * @returns {Promise<{ last?: ClassicRecord, ending?: Ending }>} the last run; why no other follows it
   */
  const runAll = async (iterations, clickedAtMs, signal) => {
    const waiting = transport.capabilities.socket ? 'Connecting' : undefined;
    let startedAt = '';
    let hidden = { stop: () => false };
    let unfollow = () => {};
    try {
      const { trials, ending } = await runExperiment(classic, {
        plan: { iterations },
        transport,
        now,
        clickedAtMs,
        signal,
        onTrialStart(planned, progress) {
          startedAt = new Date().toISOString();
          hidden = watchHidden();
          view.addStart();
          unfollow = progressBar.follow(progress, planned.iterations, waiting);
        },
        // What has changed is painted before the next run's clock begins: the run does not pay for that.
        async onTrialEnd({ trials }) {
          unfollow();
          add({ ...trials[trials.length - 1], startedAt, wasHidden: hidden.stop() });
          await nextPaint();
        },
      });
      return { last: trials.length > 0 ? result.runs[result.runs.length - 1] : undefined, ending };
    } finally {
      hidden.stop();
      unfollow();
    }
  };

  /** All that one press asks for. @param {number[]} iterationsList */
  const start = async (iterationsList) => {
    const clickedAtMs = now();
    const { signal, stop } = watchForEnd(cancel);
    const pressed = document.activeElement;
    started = iterationsList;
    problem.clear();
    saveForm.withdraw();
    setRunning(true);
    cancel.focus();
    progressBar.begin(iterationsList.reduce((sum, iterations) => sum + iterations, 0));
    /** @type {string | undefined} */
    let ended;
    try {
      const { last, ending } = await runAll(iterationsList, clickedAtMs, signal);
      if (!ending && last && isReused(last)) {
        progressBar.say('Measuring what a new connection costs…');
        result.coldSetUpMs = await measureColdSetUp({ transport, now, signal });
      }
      // Between two runs there is none that tells of it.
      const isTold = last && last.elapsedMs === undefined;
      ended = isTold ? describeTrialEnd(last, signal) : describeEnding({ ending, trials: [] }, signal);
      progressBar.say(sayEnd(ending, !signal.aborted));
    } catch (error) {
      ended = describeError(error);
      progressBar.say('Failed');
      throw error;
    } finally {
      stop();
      setRunning(false);
      if (pressed instanceof HTMLElement) pressed.focus({ preventScroll: true });
      if (ended) problem.show(ended);
      if (result.runs.length > 0) {
        view.showDetails(result);
        element('#exports', HTMLElement).hidden = false;
        saveForm.offer();
      }
      permalink.href = `?iterations=${iterationsList.join(',')}&autostart=1`;
    }
  };

  /** @param {boolean} isRunning */
  const setRunning = (isRunning) => {
    startControls.disabled = isRunning;
    cancel.disabled = !isRunning;
  };

  /**
   * Starts with what was typed, pressed or linked; says beside the field what is wrong with it.
   *
   * @param {string[]} texts
   */
  const startWith = (texts) => {
    const iterationsList = parseList(texts);
    if (iterationsList) start(iterationsList);
    else field.focus();
  };

  /** @param {string[]} texts */
  const parseList = (texts) => {
    try {
      const iterationsList = texts.map(parseIterations);
      showFieldError('');
      return iterationsList;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      showFieldError(error.message);
      return undefined;
    }
  };

  /** @param {string} message */
  const showFieldError = (message) => {
    fieldError.textContent = message;
    if (message) field.setAttribute('aria-invalid', 'true');
    else field.removeAttribute('aria-invalid');
  };

  element('#controls', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    startWith([field.value]);
  });
  for (const button of document.querySelectorAll('[data-iterations]')) {
    button.addEventListener('click', () => startWith(String(button.getAttribute('data-iterations')).split(',')));
  }

  // Also when the browser had kept the page for Back: the other page may have run meanwhile.
  window.addEventListener('pageshow', showLastRates);
  showLastRates();
  setRunning(false);
  progressBar.say('Ready');
  const query = new URLSearchParams(location.search);
  const linked = query.get('iterations')?.split(',');
  if (linked) {
    field.value = linked[0];
    if (query.get('autostart') === '1') startWith(linked);
    else parseList(linked);
  }
}

/** @param {Ending | undefined} ending @param {boolean} isFailure was it a run's own? */
function sayEnd(ending, isFailure) {
  if (!ending) return 'Finished';
  if (isFailure) return 'Failed';
  return ending.kind === 'cancelled' ? 'Cancelled' : 'Ended early';
}
