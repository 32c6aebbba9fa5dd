import { element } from './element.js';

/** A frame costs a loop of short round trips some of its rate; a short run gets none until it has ended. */
const LOOK_MS = 250;

/**
 * A bar that follows a counter. The timed loop only counts; the bar looks at it four times a second, in a frame.
 *
 * @returns {{ follow(progress: import('../../../core/trial.js').Progress, iterations: number): () => void, say(text: string): void }}
 *   `follow` gives what stops it
 */
export function createProgressBar() {
  const bar = element('#progress', HTMLProgressElement);
  const text = element('#progress-text', HTMLOutputElement);

  return {
    follow(progress, iterations) {
      let frame = 0;
      const show = () => {
        bar.max = iterations;
        bar.value = progress.completedCount;
        text.value = `${progress.completedCount} of ${iterations}`;
      };
      const timer = setInterval(() => {
        frame = requestAnimationFrame(show);
      }, LOOK_MS);
      return () => {
        clearInterval(timer);
        cancelAnimationFrame(frame);
        show();
      };
    },
    say(words) {
      text.value = words;
    },
  };
}
