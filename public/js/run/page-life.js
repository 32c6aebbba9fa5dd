/**
 * The life of a page, the same on all that measure: a question, a run, an answer that can be exported and shared; or a
 * problem beside a button that tries again.
 */
import { describeEnding, describeError } from '../../../core/experiment/run/faults.js';
import { ExchangeError } from '../../../core/net/exchange-error.js';
import { create, element, now, titleTab, whenVisible } from '../base/page.js';
import { mountSaveForm } from '../ui/save-form.js';
import { takeTurnOfTabs } from './other-tabs.js';
import { createPageStates } from './page-states.js';
import { mountRunProblem, watchForEnd } from './run-end.js';
import { keepScreenOn } from './screen.js';

/**
 * @import { Ending } from '../../../core/experiment/contract.js'
 * @import { RunProgress } from '../ui/progress.js'
 * @import { OfferRun, Sharing } from '../ui/save-form.js'
 * @import { Noticed } from './other-tabs.js'
 * @import { PageState } from './page-states.js'
 * @typedef {object} RunOutcome the outcome of a run
 * @property {string} [words] how it ended, for the progress
 * @property {string} [problem] why there is no result, or only a part; absent if the visitor stopped the run
 * @property {() => Promise<void> | void} [show] shows the answer; absent if there is nothing to show
 * @typedef {{ signal: AbortSignal, pressedAtMs: number, noticed: Noticed }} Press `signal` ends the run, with an Ending as
 *   its reason; `pressedAtMs`: when it could begin; `noticed` is to be read when it is over
 */

const WAITING = 'Another tab of this browser is measuring. Waiting…';

/**
 * @template C the choice: a plan, or a part of one
 * @typedef {object} PageLife
 * @property {(choice: C) => Promise<void>} start starts a run; to be called at a press
 * @property {OfferRun} offer lets an answer be exported and shared that is on the page without a run
 * @property {() => void} withdraw
 * @property {() => PageState} state
 * @property {() => void} showAnswer
 * @property {() => Promise<boolean>} restore shows the last answer, if a reload or Back leads to it; returns whether it is shown
 * @property {(submit: () => void) => void} again measures again; `submit`: the form, which says why it cannot start
 * @property {(focus: () => void) => void} change lets the visitor change the options, which `focus` shows
 * @property {(problem: string) => void} sayProblem
 */

/**
 * Mounts the life of a page.
 * @template C the choice: a plan, or a part of one
 * @param {object} page
 * @param {RunProgress} page.progress
 * @param {(state: PageState) => void} page.onState enables and shows what belongs to the state
 * @param {() => Promise<boolean>} [page.restore] shows the last answer of this tab again, in the place that
 *   `showAnswer` makes for it; returns whether there was one
 * @param {(choice: C, press: Press) => Promise<RunOutcome>} page.measure
 * @param {(choice: C) => boolean} [page.outlives] whether the run goes on while the device is offline
 * @param {() => void} [page.focusAnswer] called when a whole answer is shown
 * @param {() => void} [page.retry] tries again, if not by another run of the last choice
 * @param {Sharing} page.sharing
 * @returns {PageLife<C>}
 */
export function mountPageLife({ progress, onState, restore, measure, outlives, focusAnswer, retry, sharing }) {
  const saveForm = mountSaveForm(sharing);
  /** @type {C} */
  let last;
  const sayProblem = mountRunProblem(retry ?? (() => start(last)));

  const states = createPageStates({
    restore,
    onState(state) {
      // A problem is one of the last run.
      if (state !== 'answered') sayProblem('');
      titleTabOf(state);
      onState(state);
    },
  });
  const isRunning = () => states.state() === 'running';
  /** @type {OfferRun} */
  const offer = (shared) => {
    element('#exports').hidden = false;
    element('#export-status').textContent = '';
    saveForm.offer(shared);
  };
  /** @param {RunOutcome} outcome */
  const answer = async (outcome) => {
    if (!outcome.show) return outcome;
    states.answer();
    await outcome.show();
    titleTabOf('answered');
    offer();
    if (!outcome.problem) focusAnswer?.();
    return outcome;
  };
  /** @param {C} choice */
  const start = async (choice) => {
    if (isRunning()) return;
    last = choice;
    saveForm.withdraw();
    states.begin();
    progress.begin();
    // The button that was pressed is disabled now, and Stop would take a second press of the same key.
    progress.focus();
    const { signal, stop } = attend({ maySurviveOffline: outlives?.(choice) });
    const outcome = await measureAlone(choice, { signal, progress, measure }).catch((error) =>
      outcomeOf(error, signal),
    );
    stop();
    progress.stop();
    states.end();
    const { words, problem } = await answer(outcome).catch((error) => {
      // The answer may have hidden where problems are shown.
      states.end();
      return failureOf(error);
    });
    if (words) progress.say(words);
    // The focus goes to Retry.
    if (problem) sayProblem(problem);
  };

  states.end();
  element('#ask').dispatchEvent(new Event('mounted'));
  return {
    start,
    offer,
    withdraw: saveForm.withdraw,
    state: states.state,
    showAnswer: states.answer,
    restore: async () => states.isAtAnswer() && Boolean(await restore?.()),
    again(submit) {
      states.ask();
      submit();
    },
    change: states.leaveAnswer,
    sayProblem,
  };
}

/** While a run is on, its progress is the title. @param {PageState} state */
function titleTabOf(state) {
  const headline = document.querySelector('#verdict-headline, #result-headline')?.textContent;
  if (state !== 'running') titleTab(state === 'answered' && headline ? headline : undefined);
}

const isHandheld = () => matchMedia('(pointer: coarse)').matches;

/**
 * Attends to a run: notices what ends it early, and keeps the screen on, or asks the visitor to.
 * @param {{ maySurviveOffline?: boolean }} options @returns {{ signal: AbortSignal, stop(): void }}
 */
function attend(options) {
  const { signal, stop } = watchForEnd(element('#cancel', HTMLButtonElement), options);
  const note = create('small', {}, 'Keep the screen on until the end.');
  const letScreenGo = keepScreenOn({
    wakeLock: navigator.wakeLock,
    document,
    // A phone turns it off within the time of a run; other devices take longer.
    onAnswer: (isRefused) => (isRefused && isHandheld() ? element('.running').append(note) : note.remove()),
  });
  return {
    signal,
    stop() {
      stop();
      letScreenGo();
      note.remove();
    },
  };
}

/**
 * @template C
 * @param {C} choice
 * @param {{ signal: AbortSignal, progress: RunProgress, measure: (choice: C, press: Press) => Promise<RunOutcome> }} run
 */
async function measureAlone(choice, { signal, progress, measure }) {
  const onWait = () => progress.say(WAITING);
  const { noticed, end } = await takeTurnOfTabs({ locks: navigator.locks, signal, onWait });
  try {
    signal.throwIfAborted();
    progress.begin();
    return await measure(choice, { signal, pressedAtMs: now(), noticed });
  } finally {
    end();
  }
}

/**
 * Returns the outcome of a run that threw.
 * @param {unknown} error @param {AbortSignal} signal of the run @returns {RunOutcome}
 */
export function outcomeOf(error, signal) {
  if (!signal.aborted) return failureOf(error);
  const ending = signal.reason;
  return { words: nameEnding(ending), problem: describeEnding({ ending }, signal) };
}

/** @param {Ending} ending of a run that the page ended @returns {string} for the progress */
export const nameEnding = ({ kind }) => (kind === 'cancelled' ? 'Stopped' : 'Ended early');

/** Reports an error that nobody expects, too. @param {unknown} error @returns {RunOutcome} */
function failureOf(error) {
  if (!(error instanceof ExchangeError)) reportError(error);
  return { words: 'Failed', problem: describeError(error) };
}

/** Starts the run that the page's link asks for. @param {() => void} start @returns {Promise<void>} */
export async function startIfLinked(start) {
  if (new URLSearchParams(location.search).get('autostart') !== '1') return;
  await whenVisible();
  start();
}
