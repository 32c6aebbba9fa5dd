/**
 * What the classic pages and the count-down have in common: a field for iterations, a press that makes trials one after the
 * other, and what is exported of all that were made.
 */
import { runExperiment } from '../../core/experiment/run.js';
import { describeEnding, describeError, describeTrialEnd } from '../../core/experiment/faults.js';
import { hasFigures } from '../../core/experiment/lone-trials.js';
import { measureStepMs } from '../../core/base/clock.js';
import { mountRunProblem, watchForEnd, watchTrial } from './run/run-end.js';
import { element } from './ui/element.js';
import { markField, tryOrSay } from './ui/fields.js';
import { mountCopyButton, mountFileButton } from './ui/export-buttons.js';
import { nextPaint } from './ui/frames.js';
import { mountSaveForm } from './ui/save-form.js';

/** @import { Environment } from '../../core/experiment/contract.js' */
/** @import { Ending } from '../../core/experiment/contract.js' */
/** @import { Trial } from '../../core/net/echo/trial.js' */

/** @typedef {{ trial: Trial, startedAt: string, elapsedMs?: number, ending?: Ending }} LoneRecord */

export const now = () => performance.now();

/** @returns {Environment} */
export const readEnvironment = () => ({
  url: location.origin + location.pathname,
  userAgent: navigator.userAgent,
  stepMs: measureStepMs(now),
  isCrossOriginIsolated: window.crossOriginIsolated,
});

/**
 * The field for iterations, which says beside it what is wrong with what was typed or linked.
 * @returns {{ field: HTMLInputElement, read<T>(parse: () => T): T | undefined }}
 */
export function mountIterationsField() {
  const field = element('#iterations', HTMLInputElement);
  /** @param {string} message */
  const say = (message) => {
    element('#iterations-error').textContent = message;
    // A link may be wrong about something else.
    markField(field, message.startsWith('Iterations'));
  };
  return { field, read: (parse) => tryOrSay(parse, say) };
}

/**
 * What Start, Cancel and Retry do besides measuring.
 * @template C
 * @param {object} options
 * @param {(choice: C, options: { clickedAtMs: number, signal: AbortSignal }) => Promise<{ unfinished: readonly LoneRecord[],
 *   ending?: Ending }>} options.measure all that one press asks for; gives the trials that did not finish, and why no
 *   other was made
 * @param {(choice: C) => void} options.onEnd shows what was measured, however it ended
 * @param {(words: string) => void} options.say how far it is
 * @returns {(choice: C) => Promise<void>} to be called at a press
 */
export function mountPresses({ measure, onEnd, say }) {
  const controls = element('#start-controls', HTMLFieldSetElement);
  const cancel = element('#cancel', HTMLButtonElement);
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
    try {
      const { unfinished, ending } = await measure(choice, { clickedAtMs, signal });
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
      onEnd(choice);
      setRunning(false);
      if (pressed instanceof HTMLElement) pressed.focus({ preventScroll: true });
      if (ended) problem.show(ended);
    }
  };

  setRunning(false);
  say('Ready');
  return start;
}

/** @param {number} unfinishedCount @param {Ending | undefined} ending @param {AbortSignal} signal */
function sayEnd(unfinishedCount, ending, signal) {
  if (!ending) return unfinishedCount === 0 ? 'Finished' : `Ended; ${unfinishedCount} failed`;
  if (!signal.aborted) return 'Failed';
  return ending.kind === 'cancelled' ? 'Cancelled' : 'Ended early';
}

/**
 * Makes the trials of one press.
 * @template {LoneRecord} R
 * @param {any} experiment
 * @param {{ records: R[], onTrialStart(planned: any, counter: any): Promise<void> | void, onTrialEnd(record: R): void,
 *   pause(): void, [option: string]: any }} options the run's, too; each trial is added to `records`; `pause` stops its progress
 * @returns {Promise<{ made: R[], unfinished: R[], ending?: Ending }>} `ending`: why others were not made
 */
export async function makeTrials(experiment, { records, onTrialStart, onTrialEnd, pause, ...options }) {
  const before = records.length;
  let watch = { stop: () => ({ startedAt: '', wasHidden: false }) };
  try {
    const { ending } = await runExperiment(experiment, {
      plan: undefined,
      ...options,
      now,
      async onTrialStart(planned, counter) {
        await onTrialStart(planned, counter);
        watch = watchTrial();
      },
      // What has changed is painted before the next trial's clock begins, which does not pay for that.
      async onTrialEnd({ trials }) {
        pause();
        const record = { .../** @type {R} */ (trials.at(-1)), ...watch.stop() };
        records.push(record);
        onTrialEnd(record);
        await nextPaint();
      },
    });
    const made = records.slice(before);
    return { made, unfinished: made.filter(({ elapsedMs }) => elapsedMs === undefined), ending };
  } finally {
    watch.stop();
    pause();
  }
}

/**
 * The buttons that export all trials on the page, and the form that shares them.
 * @param {object} options @param {string} options.name goes into file names
 * @param {() => readonly LoneRecord[]} options.records @param {() => unknown} options.documentOf
 * @param {() => string} options.formatJson @param {() => string} options.formatMarkdown
 * @returns {{ offer(): void, withdraw(): void }} `offer` when a press is over: shows them where there is anything to export
 */
export function mountLoneExports({ name, records, documentOf, formatJson, formatMarkdown }) {
  mountCopyButton('#copy', formatMarkdown);
  mountFileButton('#download', { type: 'json', name, text: formatJson, startedAt: () => records()[0].startedAt });
  const { offer, withdraw } = mountSaveForm({ documentsOf: () => [documentOf()] });
  return {
    offer() {
      const isWorthIt = records().some(hasFigures);
      element('#exports').hidden = !isWorthIt;
      if (isWorthIt) offer();
    },
    withdraw,
  };
}
