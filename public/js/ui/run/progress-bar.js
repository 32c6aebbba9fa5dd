import { element } from '../element.js';
import { lookInFrames } from '../frames.js';

/** @import { Progress } from '../../../../core/net/echo/trial.js' */

/** A frame costs a loop of short round trips some of its rate (a look each 100 ms cost more), so the bar mostly moves between runs. */
const LOOK_MS = 250;

/**
 * A bar over all the runs of one press. The timed loop only counts; the bar looks at the counter now and then.
 * @returns {{ begin(total: number): void, say(text: string): void, follow(progress: Progress, iterations: number,
 *   waiting?: string): () => void }} `begin` is called with the iterations of all runs; `follow` when one of them is on
 *   its way, with what it does before its first answer, and gives what stops it
 */
export function createProgressBar() {
  const bar = element('#progress', HTMLProgressElement);
  const text = element('#progress-text', HTMLOutputElement);
  let madeCount = 0;

  return {
    begin(total) {
      madeCount = 0;
      bar.max = total;
      bar.value = 0;
    },
    follow(progress, iterations, waiting) {
      if (waiting) text.value = waiting;
      const show = () => {
        const { completedCount } = progress;
        bar.value = madeCount + completedCount;
        if (completedCount > 0 || !waiting) text.value = `${completedCount} of ${iterations}`;
      };
      const stop = lookInFrames(show, LOOK_MS);
      return () => {
        stop();
        show();
        madeCount += progress.completedCount;
      };
    },
    say(words) {
      text.value = words;
    },
  };
}
