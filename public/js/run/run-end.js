/** What ends a run before its plan does, and where a page says so. */
import { element } from '../ui/element.js';

/** @import { Ending } from '../../../core/experiment/contract.js' */

/** @type {Ending} */
const CANCELLED = { kind: 'cancelled', reason: 'The run was cancelled.' };
/** @type {Ending} */
const HIDDEN = {
  kind: 'invalid',
  reason: 'The tab was hidden during the run, and browsers slow hidden tabs down.',
};
/** @type {Ending} */
const OFFLINE = { kind: 'invalid', reason: 'This device went offline during the run.' };

const isHidden = () => document.visibilityState === 'hidden';

/**
 * Watches for what ends a run before its plan does, and asks before the page is left with it.
 * @param {HTMLButtonElement} cancel
 * @returns {{ signal: AbortSignal, stop(): void }} `signal` has the Ending as its reason; `stop` to be called when the run
 *   is over
 */
export function watchForEnd(cancel) {
  const controller = new AbortController();
  const watching = new AbortController();
  const { signal } = watching;
  cancel.addEventListener('click', () => controller.abort(CANCELLED), { signal });
  window.addEventListener('offline', () => controller.abort(OFFLINE), { signal });
  document.addEventListener('visibilitychange', () => isHidden() && controller.abort(HIDDEN), { signal });
  // Only while a run is on: with such a listener some browsers do not keep the page for Back.
  window.addEventListener('beforeunload', (event) => event.preventDefault(), { signal });
  return { signal: controller.signal, stop: () => watching.abort() };
}

/**
 * Notes when a trial began, and watches whether the tab was hidden since: browsers slow the timers of hidden tabs down.
 * @returns {{ stop(): { startedAt: string, wasHidden: boolean } }} `startedAt`: ISO 8601
 */
export function watchTrial() {
  const startedAt = new Date().toISOString();
  let wasHidden = isHidden();
  const look = () => {
    wasHidden ||= isHidden();
  };
  document.addEventListener('visibilitychange', look);
  return {
    stop() {
      document.removeEventListener('visibilitychange', look);
      return { startedAt, wasHidden };
    },
  };
}

/**
 * Where a page says why a run could not go on, beside a button that repeats it: views/partials/run-problem.ejs.
 * @param {() => void} onRetry
 * @returns {{ show(message: string): void, clear(): void }} `clear` to be called when a run starts
 */
export function mountRunProblem(onRetry) {
  const retry = element('#retry', HTMLButtonElement);
  /** @param {string} message empty where there is none */
  const say = (message) => {
    element('#run-problem').hidden = message === '';
    element('#run-problem-text').textContent = message;
  };
  const clear = () => say('');
  retry.addEventListener('click', () => {
    clear();
    onRetry();
  });
  return {
    show(message) {
      say(message);
      retry.focus();
    },
    clear,
  };
}
