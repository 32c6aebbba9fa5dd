import { labelOf } from '../../core/transports/labels.js';
import { element } from './element.js';

/** Rarely, as each look is a frame that the timed loop pays for: most trials are over before the first. */
const LOOK_MS = 2000;

/**
 * How far a run is: by its trials, and within a long one by its iterations.
 *
 * @returns {{ follow(plan: Pick<import('../../core/plan.js').Plan, 'transports' | 'blocks' | 'iterations'>, transport: string, block: number,
 *   counter: import('../../core/trial.js').Progress): void, pause(): void, stop(): void, say(words: string): void, focus(): void }}
 *   `follow` is called when a trial begins, `stop` when no more will
 */
export function createRunProgress() {
  const bar = element('#progress', HTMLProgressElement);
  const text = element('#progress-text', HTMLOutputElement);
  let timer = 0;
  let trialCount = 0;

  const pause = () => {
    clearInterval(timer);
    if (trialCount > 0) bar.value = trialCount;
  };

  return {
    follow({ transports, blocks, iterations }, transport, block, counter) {
      clearInterval(timer);
      const made = trialCount++;
      const show = () => {
        bar.max = blocks * transports.length;
        bar.value = made + counter.completedCount / iterations;
        text.value = `Block ${block + 1} of ${blocks}: ${labelOf(transport)}, ${counter.completedCount} of ${iterations}`;
      };
      show();
      timer = window.setInterval(show, LOOK_MS);
    },
    pause,
    stop() {
      pause();
      trialCount = 0;
    },
    say(words) {
      text.value = words;
    },
    focus: () => text.focus({ preventScroll: true }),
  };
}
