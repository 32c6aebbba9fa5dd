/**
 * The page of a classic test: a field, four buttons, a log; the fine clock's figures beneath.
 */
import { measureStepMs } from '../../core/clock.js';
import { measureColdSetUp, parseIterations, runClassic } from '../../core/experiments/classic.js';
import { formatJson, formatMarkdown, isReused, toDocument } from '../../core/experiments/classic-export.js';
import { createClassicView } from './ui/classic-view.js';
import { element } from './ui/element.js';
import { mountCopyButton, mountDownloadButton } from './ui/export-buttons.js';
import { watchHidden } from './ui/hidden-watch.js';
import { createProgressBar } from './ui/progress-bar.js';
import { mountSaveForm } from './ui/save-form.js';

const now = () => performance.now();

/** @param {import('../../core/transports/index.js').Transport} transport */
export function mountClassicPage(transport) {
  const field = element('#iterations', HTMLInputElement);
  const fieldError = element('#iterations-error', HTMLElement);
  const startControls = element('#start-controls', HTMLFieldSetElement);
  const cancel = element('#cancel', HTMLButtonElement);
  const permalink = element('#permalink', HTMLAnchorElement);
  const progressBar = createProgressBar();
  const view = createClassicView();

  /** @type {import('../../core/experiments/classic-export.js').ClassicResult} */
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

  /**
   * One run, from the click (or from the end of the run before it) to its line in the log.
   *
   * @param {number} iterations
   * @param {number} clickedAtMs
   * @param {AbortSignal} signal
   */
  const run = async (iterations, clickedAtMs, signal) => {
    const startedAt = new Date().toISOString();
    const hidden = watchHidden();
    const progress = { completedCount: 0 };
    // The run is on its way before the page is touched.
    const running = runClassic({ transport, now, iterations, clickedAtMs, progress, signal });
    view.addStart();
    const unfollow = progressBar.follow(progress, iterations);
    try {
      const record = { ...(await running), startedAt, wasHidden: hidden.stop() };
      result.runs.push(record);
      view.addEnd(record);
      return record;
    } finally {
      unfollow();
    }
  };

  /**
   * All that one press asks for.
   *
   * @param {number[]} iterationsList
   */
  const start = async (iterationsList) => {
    let clickedAtMs = now();
    const controller = new AbortController();
    const pressed = document.activeElement;
    const onCancel = () => controller.abort();
    cancel.addEventListener('click', onCancel);
    saveForm.withdraw();
    setRunning(true);
    cancel.focus();
    try {
      for (const iterations of iterationsList) {
        const { elapsedMs } = await run(iterations, clickedAtMs, controller.signal);
        if (elapsedMs === undefined) break;
        clickedAtMs = now();
      }
      const last = /** @type {import('../../core/experiments/classic-export.js').ClassicRecord} */ (result.runs.at(-1));
      if (last.elapsedMs !== undefined && isReused(last)) {
        progressBar.say('Measuring what a new connection costs…');
        result.coldSetUpMs = await measureColdSetUp({ transport, now, signal: controller.signal });
        progressBar.say('Finished');
      }
    } catch (error) {
      view.addToLog(`Failed: ${error}`);
      throw error;
    } finally {
      cancel.removeEventListener('click', onCancel);
      setRunning(false);
      if (pressed instanceof HTMLElement) pressed.focus({ preventScroll: true });
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

  /**
   * @param {string[]} texts
   * @returns {number[] | undefined}
   */
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
