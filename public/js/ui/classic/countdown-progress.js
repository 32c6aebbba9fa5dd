import { labelOf } from '../../../../core/net/echo/labels.js';
import { element } from '../element.js';

/** @import { Progress } from '../../../../core/net/echo/trial.js' */

/** Rarely, as each look is a frame that the timed loop pays for. */
const LOOK_MS = 500;

/**
 * How far the tests of one press are: by tests, and within a long one by its iterations.
 *
 * @returns {{ follow(tests: readonly string[], index: number, iterations: number, counter: Progress): () => void,
 *   say(words: string): void }} `follow` is called before the test with that index begins, and gives what stops it
 */
export function createCountdownProgress() {
  const bar = element('#progress', HTMLProgressElement);
  const text = element('#progress-text', HTMLOutputElement);

  return {
    follow(tests, index, iterations, counter) {
      const show = () => {
        bar.max = tests.length;
        bar.value = index + counter.completedCount / iterations;
        text.value = `Test ${index + 1} of ${tests.length}: ${labelOf(tests[index])}, ${counter.completedCount} of ${iterations}`;
      };
      show();
      const timer = setInterval(show, LOOK_MS);
      return () => {
        clearInterval(timer);
        bar.value = index + 1;
      };
    },
    say(words) {
      text.value = words;
    },
  };
}
