/** Watches for what ends a run before its plan does, and shows it on the page. */
import { watchGaps } from '../../../core/experiment/run/gaps.js';
import { element } from '../base/page.js';

/** @import { Ending } from '../../../core/experiment/contract.js' */

/** @type {Record<string, Ending>} */
const ENDINGS = {
  cancelled: { kind: 'cancelled', reason: 'The run was stopped.' },
  hidden: { kind: 'invalid', reason: 'The tab was hidden during the run, and browsers slow hidden tabs down.' },
  offline: { kind: 'invalid', reason: 'This device went offline during the run.' },
};

/** Stop stands where Measure was: whoever presses that twice wants to measure. @param {number} detail of a click */
const isSecondOfDouble = (detail) => detail > 1;

const isHidden = () => document.visibilityState === 'hidden';

/**
 * Watches for the events that end a run before its plan does, and asks before the visitor leaves the page. A tab that is
 * hidden already ends it at once.
 * @param {HTMLButtonElement} cancel @param {{ maySurviveOffline?: boolean }} [options]
 * @returns {{ signal: AbortSignal, stop(): void }} `signal` has the Ending as its reason; `stop` to be called when it
 *   is over
 */
export function watchForEnd(cancel, { maySurviveOffline = false } = {}) {
  const controller = new AbortController();
  const watching = new AbortController();
  const { signal } = watching;
  const stop = (/** @type {MouseEvent} */ { detail }) => {
    if (!isSecondOfDouble(detail)) controller.abort(ENDINGS.cancelled);
  };
  cancel.addEventListener('click', stop, { signal });
  if (!maySurviveOffline) window.addEventListener('offline', () => controller.abort(ENDINGS.offline), { signal });
  const look = () => isHidden() && controller.abort(ENDINGS.hidden);
  document.addEventListener('visibilitychange', look, { signal });
  look();
  // The listener exists only during a run: because of it some browsers do not keep the page for Back.
  window.addEventListener('beforeunload', (event) => event.preventDefault(), { signal });
  const tasks = watchLongTasks();
  const gaps = watchGaps({ now: browserNow, idle: tasks.idle });
  return {
    signal: AbortSignal.any([controller.signal, gaps.signal]),
    stop() {
      watching.abort();
      gaps.stop();
      tasks.stop();
    },
  };
}

/** The browser's monotonic clock, whatever an extension or a test has made of performance.now(). */
const browserNow = () => new Event('').timeStamp;

/** Knows how long the page has waited so far, where the browser reports the tasks that take long. */
function watchLongTasks() {
  if (!PerformanceObserver.supportedEntryTypes?.includes('longtask')) return { idle: undefined, stop() {} };
  let busyMs = 0;
  const add = (/** @type {PerformanceEntryList} */ tasks) => tasks.forEach(({ duration }) => (busyMs += duration));
  const observer = new PerformanceObserver((list) => add(list.getEntries()));
  observer.observe({ type: 'longtask' });
  return {
    idle() {
      add(observer.takeRecords());
      return browserNow() - busyMs;
    },
    stop: () => observer.disconnect(),
  };
}

/**
 * Notes when a trial began, in ISO 8601, and whether the tab was hidden since: browsers slow hidden tabs' timers down.
 */
export function watchTrial() {
  const startedAt = new Date().toISOString();
  let wasHidden = isHidden();
  const look = () => (wasHidden ||= isHidden());
  document.addEventListener('visibilitychange', look);
  return {
    stop() {
      document.removeEventListener('visibilitychange', look);
      return { startedAt, wasHidden };
    },
  };
}

/**
 * Mounts the place that says why a run could not continue, beside a button that repeats it.
 * @param {() => void} onRetry
 * @returns {(message: string) => void} shows the message; an empty one removes it
 */
export function mountRunProblem(onRetry) {
  const retry = element('#retry');
  /** @param {string} message */
  const say = (message) => {
    element('#run-problem').hidden = message === '';
    element('#run-problem-text').textContent = message;
    if (message) retry.focus();
  };
  retry.addEventListener('click', () => {
    say('');
    onRetry();
  });
  return say;
}
