/**
 * Switches a page between its question, a run, and the answer that takes the question's place. Question and answer are two
 * history entries of one page: Back leads from the answer to the question, Forward to the answer again, and a reload
 * stays. A page without a place of its own for the answer keeps its form, above the log of its runs.
 */
import { element } from '../base/page.js';

/** @typedef {'asking' | 'running' | 'answered'} PageState */

/**
 * `begin`, `answer` and `ask` are to be called when a run begins, when there is something to show, and when the page shows
 * the question again; `leaveAnswer` when the visitor wants to.
 * @param {object} page
 * @param {(state: PageState) => void} page.onState shows what belongs to the state
 * @param {() => Promise<unknown>} [page.restore] shows the last answer again, if there is one
 */
export function createPageStates({ onState, restore = () => Promise.resolve() }) {
  const question = element('#ask');
  const place = document.querySelector('#after');
  const answer = place instanceof HTMLElement ? place : undefined;
  /** @type {PageState} */
  let state = 'asking';
  const wayToAnswer = mountWayToAnswer(restore);
  const problem = element('#run-problem');
  const placeOfProblem = problem.parentElement;
  const isAtAnswer = () => history.state?.isAnswer === true;
  /** Is Back pressed for the visitor, from the answer and its links within the page? */
  let isLeaving = false;

  /** @param {PageState} next */
  const switchTo = (next) => {
    wayToAnswer.show(state, next);
    state = next;
    question.dataset.state = next;
    if (answer) {
      question.hidden = next === 'answered';
      answer.hidden = !question.hidden;
      // A problem stands beside the button that started, or above a result of a part of the plan.
      if (question.contains(placeOfProblem)) {
        if (question.hidden) question.after(problem);
        else placeOfProblem?.append(problem);
      }
    }
    if (next === 'running') element('.running').hidden = false;
    onState(next);
  };
  /** The words of the last run say nothing about the next one. */
  const ask = () => {
    switchTo('asking');
    if (answer) element('.running').hidden = true;
  };
  if (answer) {
    // Else an address with a part of the page would be taken for a link within it.
    if (history.state === null) history.replaceState({ isAnswer: false }, '');
    window.addEventListener('popstate', () => {
      if (isLeaving && isAtAnswer()) {
        history.back();
        return;
      }
      // The browser scrolls to where the question was left, away from what the visitor wants to change.
      if (isLeaving) requestAnimationFrame(showFocused);
      isLeaving = false;
      if (history.state === null && location.hash) {
        // Chromium also fires this event for links within the page.
        history.replaceState({ isAnswer: state === 'answered' }, '');
      } else if (state !== 'running') {
        if (isAtAnswer()) restore().catch(reportError);
        else ask();
      }
    });
  }

  return {
    state: () => state,
    isAtAnswer,
    begin: () => switchTo('running'),
    /** After a run without an answer, too: its words stay. */
    end: () => switchTo('asking'),
    answer() {
      if (!answer) return;
      if (!isAtAnswer()) history.pushState({ isAnswer: true }, '');
      switchTo('answered');
    },
    ask,
    /** @param {() => void} focus shows the visitor what to change */
    leaveAnswer(focus) {
      isLeaving = isAtAnswer();
      ask();
      focus();
      if (isLeaving) history.back();
    },
  };
}

/**
 * Mounts the button that leads to the answer again, where that takes the question's place.
 * @param {() => Promise<unknown>} restore
 */
function mountWayToAnswer(restore) {
  const button = document.querySelector('#to-answer');
  let isAnswerLeft = false;
  button?.addEventListener('click', () => {
    history.pushState({ isAnswer: true }, '');
    restore().catch(reportError);
  });
  return {
    /** @param {PageState} state @param {PageState} next */
    show(state, next) {
      isAnswerLeft = next === 'asking' && (isAnswerLeft || state === 'answered');
      button?.toggleAttribute('hidden', !isAnswerLeft);
    },
  };
}

const showFocused = () => document.activeElement?.scrollIntoView({ block: 'center', behavior: 'instant' });
