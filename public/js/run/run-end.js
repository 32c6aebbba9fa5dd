/** @import { Ending } from '../../../core/experiment/run.js' */

/** @type {Ending} */
const CANCELLED = { kind: 'cancelled', reason: 'The run was cancelled.' };
/** @type {Ending} */
const HIDDEN = {
  kind: 'invalid',
  reason: 'The tab was hidden during the run, and browsers slow hidden tabs down.',
};
/** @type {Ending} */
const OFFLINE = { kind: 'invalid', reason: 'This device went offline during the run.' };

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
  document.addEventListener(
    'visibilitychange',
    () => {
      if (document.visibilityState === 'hidden') controller.abort(HIDDEN);
    },
    { signal },
  );
  // Only while a run is on: with such a listener some browsers do not keep the page for Back.
  window.addEventListener('beforeunload', (event) => event.preventDefault(), { signal });
  return { signal: controller.signal, stop: () => watching.abort() };
}
