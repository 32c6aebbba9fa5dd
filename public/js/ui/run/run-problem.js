import { element } from '../element.js';

/**
 * Where a page says why a run could not go on, beside a button that repeats it: views/partials/run-problem.ejs.
 * @param {() => void} onRetry
 * @returns {{ show(message: string): void, clear(): void }} `clear` to be called when a run starts
 */
export function mountRunProblem(onRetry) {
  const box = element('#run-problem');
  const text = element('#run-problem-text');
  const retry = element('#retry', HTMLButtonElement);
  /** @param {string} message empty where there is none */
  const say = (message) => {
    box.hidden = message === '';
    text.textContent = message;
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
