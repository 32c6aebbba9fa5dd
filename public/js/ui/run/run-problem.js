import { element } from '../element.js';

/**
 * Where a page says why a run could not go on, beside a button that repeats it: views/partials/run-problem.ejs.
 *
 * @param {() => void} onRetry
 * @returns {{ show(message: string): void, clear(): void }} `clear` to be called when a run starts
 */
export function mountRunProblem(onRetry) {
  const box = element('#run-problem', HTMLElement);
  const text = element('#run-problem-text', HTMLElement);
  const retry = element('#retry', HTMLButtonElement);
  const clear = () => {
    box.hidden = true;
    text.textContent = '';
  };
  retry.addEventListener('click', () => {
    clear();
    onRetry();
  });
  return {
    show(message) {
      box.hidden = false;
      text.textContent = message;
      retry.focus();
    },
    clear,
  };
}
