/**
 * The question and its answer are two places of one page: Back leads from the answer to the question, Forward to the
 * answer again, and a reload stays where it is.
 * @param {object} options
 * @param {() => 'asking' | 'running' | 'answered'} options.stateOf the page
 * @param {() => void} options.onQuestion shows it
 * @param {() => void} options.onAnswer shows it
 * @returns {{ isAtAnswer(): boolean, showAnswer(): void, leaveAnswer(): void }} `showAnswer` to be called when there is a new
 *   one, `leaveAnswer` when the page shows the question again
 */
export function createAnswerHistory({ stateOf, onQuestion, onAnswer }) {
  const isAtAnswer = () => history.state?.isAnswer === true;

  window.addEventListener('popstate', () => {
    if (history.state === null && location.hash) {
      // A link within the page, which Chromium also tells of by this event.
      history.replaceState({ isAnswer: stateOf() === 'answered' }, '');
    } else if (stateOf() !== 'running') {
      if (isAtAnswer()) onAnswer();
      else onQuestion();
    }
  });

  return {
    isAtAnswer,
    showAnswer() {
      if (!isAtAnswer()) history.pushState({ isAnswer: true }, '');
    },
    leaveAnswer() {
      if (isAtAnswer()) history.back();
    },
  };
}
