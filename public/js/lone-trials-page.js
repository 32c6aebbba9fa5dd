/** What the classic pages and the count-down have in common: presses that make trials, and the export of all that were made. */
import { runExperiment } from '../../core/experiment/run.js';
import { describeEnding, describeError, describeTrialEnd } from '../../core/experiment/faults.js';
import { hasFigures } from '../../core/experiment/lone-trials.js';
import { measureColdSetUp } from '../../core/net/probe.js';
import { measureStepMs } from '../../core/base/clock.js';
import { mountRunProblem, watchForEnd, watchTrial } from './run/run-end.js';
import { element, markField, tryOrSay, nextPaint, now } from './ui/page.js';
import { mountCopyButton, mountFileButton } from './ui/export-buttons.js';
import { mountSaveForm } from './ui/save-form.js';

/** @import { Ending, Environment } from '../../core/experiment/contract.js' */
/** @import { Transport } from '../../core/net/echo/index.js' */

/** @returns {Environment} */
export const readEnvironment = () => ({
  url: location.origin + location.pathname,
  userAgent: navigator.userAgent,
  stepMs: measureStepMs(now),
  isCrossOriginIsolated: window.crossOriginIsolated,
});

/** The field for iterations; `read` says beside it what is wrong with what was typed or linked. */
export function mountIterationsField() {
  const field = element('#iterations', HTMLInputElement);
  /** @param {string} message */
  const say = (message) => {
    element('#iterations-error').textContent = message;
    // A link may be wrong about something else.
    markField(field, message.startsWith('Iterations'));
  };
  return { field, read: (/** @type {() => any} */ parse) => tryOrSay(parse, say) };
}

/**
 * What Measure, Stop, Retry and the exports do.
 * @template C
 * @param {any} experiment that `lone` made
 * @param {object} page
 * @param {string} page.name goes into file names
 * @param {() => any[]} page.records all trials on the page: each that is made is added
 * @param {() => unknown} page.documentOf them
 * @param {(choice: C) => object} page.begin gives the run's options at a press
 * @param {(planned: any, counter: any) => Promise<void> | void} page.onTrialStart @param {(record: any) => void} page.onTrialEnd
 * @param {() => void} page.pause stops a trial's progress @param {(words: string) => void} page.say how far it is
 * @param {(made: any[], signal: AbortSignal) => Promise<void> | void} page.finish after trials of which none was cancelled
 * @param {(choice: C) => void} page.onEnd shows what was measured, however it ended
 * @returns {{ start(choice: C): Promise<void>, withdraw(): void }} `start` is to be called at a press; `withdraw` when there is
 *   nothing to share
 */
export function mountLonePage(experiment, page) {
  const { name, records, documentOf, say } = page;
  const controls = element('#start-controls', HTMLFieldSetElement);
  const cancel = element('#cancel', HTMLButtonElement);
  const saveForm = mountSaveForm({ documentsOf: () => [documentOf()] });
  const startedAt = () => records()[0].startedAt;
  /** @type {C} */
  let last;
  const problem = mountRunProblem(() => start(last));

  /** @param {boolean} isRunning */
  const setRunning = (isRunning) => {
    controls.disabled = isRunning;
    cancel.disabled = !isRunning;
  };

  /** @param {C} choice */
  const start = async (choice) => {
    const clickedAtMs = now();
    const { signal, stop } = watchForEnd(cancel);
    const pressed = document.activeElement;
    /** @type {string | undefined} */
    let ended;
    last = choice;
    problem.clear();
    setRunning(true);
    cancel.focus();
    saveForm.withdraw();
    try {
      const { made, ending } = await makeTrials(experiment, page, { ...page.begin(choice), clickedAtMs, signal });
      if (!ending) await page.finish(made, signal);
      const unfinished = made.filter(({ elapsedMs }) => elapsedMs === undefined);
      say(sayEnd(unfinished.length, ending, signal));
      // None between two trials.
      const cut = unfinished.at(-1);
      ended = cut ? describeTrialEnd(cut, signal) : describeEnding({ ending, trials: [] }, signal);
    } catch (error) {
      say('Failed');
      ended = describeError(error);
      throw error;
    } finally {
      stop();
      page.onEnd(choice);
      const isWorthIt = records().some(hasFigures);
      element('#exports').hidden = !isWorthIt;
      if (isWorthIt) saveForm.offer();
      setRunning(false);
      if (pressed instanceof HTMLElement) pressed.focus({ preventScroll: true });
      if (ended) problem.show(ended);
    }
  };

  mountCopyButton('#copy', () => experiment.formatMarkdown(documentOf()));
  mountFileButton('#download', { type: 'json', name, text: () => `${JSON.stringify(documentOf())}\n`, startedAt });
  setRunning(false);
  say('Ready');
  return { start, withdraw: saveForm.withdraw };
}

/** @param {number} unfinishedCount @param {Ending | undefined} ending @param {AbortSignal} signal */
function sayEnd(unfinishedCount, ending, signal) {
  if (!ending) return unfinishedCount === 0 ? 'Finished' : `Ended; ${unfinishedCount} failed`;
  if (!signal.aborted) return 'Failed';
  return ending.kind === 'cancelled' ? 'Stopped' : 'Ended early';
}

/**
 * The trials of one press.
 * @param {any} experiment @param {Omit<Parameters<typeof mountLonePage>[1], 'begin' | 'onEnd'>} page @param {any} options
 */
async function makeTrials(experiment, { records, onTrialStart, onTrialEnd, pause }, options) {
  /** @type {any[]} */
  const made = [];
  let watch = { stop: () => ({ startedAt: '', wasHidden: false }) };
  try {
    const { ending } = await runExperiment(experiment, {
      ...options,
      now,
      async onTrialStart(planned, counter) {
        await onTrialStart(planned, counter);
        watch = watchTrial();
      },
      // What has changed is painted before the next trial's clock begins, which does not pay for that.
      async onTrialEnd({ trials }) {
        pause();
        const record = { .../** @type {any} */ (trials.at(-1)), ...watch.stop() };
        made.push(record);
        records().push(record);
        onTrialEnd(record);
        await nextPaint();
      },
    });
    return { made, ending };
  } finally {
    watch.stop();
    pause();
  }
}

/** @param {Transport} transport @param {AbortSignal} signal @param {(words: string) => void} say */
export function measureNewConnection(transport, signal, say) {
  say('Measuring the connection setup…');
  return measureColdSetUp({ transport, now, signal });
}
